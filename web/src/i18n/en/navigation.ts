import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { number, since } = english

export const navigation = {
  unknownAddress: {
    title: 'There is nothing at this address',
    more: 'The link may be incomplete, or from another server.',
    goTo: (channel: string) => `Go to #${channel}`,
    start: 'Go to the start page',
  },

  channelLinks: { choose: 'Channels' },

  days: {
    label: 'Jump to a day',
    today: 'Today',
    yesterday: 'Yesterday',
    lastWeek: 'A week ago',
    beginning: 'The beginning',
    pick: 'Pick a date',
  },

  unreadBar: {
    count: (count: number) => `${number(count)} new`,
    since: (count: number, ts: Seconds) => `${number(count)} new since ${since(ts)}`,
    show: 'Go to the first new message',
    markRead: 'Mark as read',
  },
}
