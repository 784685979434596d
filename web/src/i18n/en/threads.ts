import { english } from './formats.ts'

const { counted, number, since } = english

export const threads = {
  threads: {
    label: (channel: string) => `Thread in ${channel}`,
    title: 'Thread',
    newest: 'Newest replies',
    drop: 'Drop to add to your reply',
    close: 'Close thread',
    follow: 'Follow',
    following: 'Following',
    followAbout: 'Replies in threads that you follow are in your activity.',
    replies: (count: number) => counted(count, 'reply', 'replies'),
    fresh: (count: number) => `${number(count)} new`,
    older: 'Show older replies',
    placeholder: 'Reply',
    inChannel: (channel: string) => `Replies are in ${channel} too`,
    noRoot: 'You see replies from when you joined.',
    failed: 'The thread could not be loaded. Try again in a moment.',
    lost: 'This thread is not available to you.',
    notFollowed: 'That was not saved. Try again in a moment.',
    list: 'Threads',
    closeList: 'Close threads',
    onlyUnread: 'Only with something new',
    markAllRead: 'Mark all threads as read',
    notAllRead: 'Some threads are not marked as read. Try again in a moment.',
    none: 'Threads that you write in, or are named in, appear here.',
    noneUnread: 'There is nothing new in the threads that you follow.',
    listFailed: 'The threads could not be loaded. Try again in a moment.',
    in: (channel: string) => `in ${channel}`,
    time: (ts: number) => since(ts),
    gone: 'First message not available',
    deleted: 'Message deleted',
  },
}
