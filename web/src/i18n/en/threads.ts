import { listedIn } from '../formats.ts'
import { english } from './formats.ts'

const { counted, number } = english
const listed = listedIn(english)

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
    left: 'You do not follow this thread any more.',
    withNews: (count: number) => `${number(count)} unread`,
    which: 'Which threads',
    followed: 'Following',
    started: 'Started by me',
    markAllRead: 'All read',
    allRead: 'All threads are read.',
    nothingNew: 'There is nothing new in your threads.',
    newer: (count: number) => `${number(count)} newer`,
    notAllRead: 'Some threads are not marked as read. Try again in a moment.',
    noneTitle: 'No threads yet',
    none: 'Reply to a message in a thread and it shows up here.',
    noneStarted: 'Threads under your own messages appear here.',
    /** Before and after the key F. */
    hint: ['You follow a thread when you write in it, are named in it, or press', 'on it.'] as readonly [
      string,
      string,
    ],
    place: (channel: string, people: number, isMore: boolean) =>
      `${channel}, ${isMore ? `${number(people)}+ people` : counted(people, 'person', 'people')}`,
    more: 'More about this thread',
    showRoot: (channel: string) => `Show in ${channel}`,
    unfollow: 'Stop following',
    listFailed: 'The threads could not be loaded. Try again in a moment.',
    time: (ts: number) => listed(ts),
    gone: 'First message not available',
    deleted: 'Message deleted',
  },
}
