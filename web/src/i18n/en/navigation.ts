import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { number, since } = english

export const navigation = {
  channelLinks: { choose: 'Channels' },

  days: {
    label: 'Jump to a day',
  },

  unreadBar: {
    count: (count: number) => `${number(count)} new`,
    since: (count: number, ts: Seconds) => `${number(count)} new since ${since(ts)}`,
    show: 'Go to the first new message',
    markRead: 'Mark as read',
  },
}
