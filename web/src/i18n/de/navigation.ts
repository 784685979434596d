import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/navigation.ts'

import { german } from './formats.ts'

const { number, since } = german

export const navigation: typeof en.navigation = {
  channelLinks: { choose: 'Kanäle' },

  days: {
    label: 'Zu einem Tag springen',
  },

  unreadBar: {
    count: (count: number) => `${number(count)} neu`,
    since: (count: number, ts: Seconds) => `${number(count)} neu seit ${since(ts)}`,
    show: 'Zur ersten neuen Nachricht',
    markRead: 'Als gelesen markieren',
  },
}
