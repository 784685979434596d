import { english } from './formats.ts'

const { counted, number, list, since } = english

/** People by name, and the number of those who are not named. */
const people = (names: string[], count: number) =>
  list(count > names.length ? [...names, counted(count - names.length, 'other', 'others')] : names)

export const activity = {
  activity: {
    title: 'Activity',
    kinds: 'Kinds of activity',
    tabs: { all: 'All', mention: 'Mentions', reply: 'Replies', reaction: 'Reactions' },
    unread: (count: number) => `${number(count)} unread`,
    unreadItems: (count: number) => counted(count, 'unread item', 'unread items'),
    isUnread: 'Unread',
    markAllRead: 'Mark all as read',
    close: 'Close activity',
    direct: 'direct message',
    in: (channel: string) => `in ${channel}`,
    did: {
      mention: (names: string[], count: number) => people(names, count),
      reply: (names: string[], count: number) => `${people(names, count)} replied`,
      reaction: (names: string[], count: number) => `${people(names, count)} reacted`,
      added: (names: string[]) => `${list(names)} added you`,
      reminder: (names: string[]) => `Reminder: ${list(names)}`,
      command: (names: string[]) => `${list(names)} answered your command`,
      alone: (names: string[]) => `${list(names)} wrote to you alone`,
      failed: () => 'A scheduled message was not sent',
    },
    none: {
      all: 'Mentions, replies and reactions to your messages appear here.',
      mention: 'Nobody has mentioned you in the last 90 days.',
      reply: 'Nobody has replied to you in the last 90 days.',
      reaction: 'Nobody has reacted to your messages in the last 90 days.',
    },
    failed: 'The activity could not be loaded. Try again in a moment.',
  },

  replies: {
    count: (count: number) => counted(count, 'reply', 'replies'),
    show: (count: number, names: string[]) =>
      `Show ${counted(count, 'reply', 'replies')}, latest by ${list(names)}`,
    fresh: (count: number) => `${number(count)} new`,
    last: (ts: number) => `last ${since(ts)}`,
    folded: 'In reply to the same message',
  },
}
