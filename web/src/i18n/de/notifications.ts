import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/notifications.ts'
import { german } from './formats.ts'

const { time } = german

export const notifications: typeof en.notifications = {
  mute: {
    hour: 'Eine Stunde stumm',
    tomorrow: 'Bis morgen',
    forever: 'Bis auf Weiteres',
    unmute: 'Wieder einschalten',
    on: 'Benachrichtigungen an',
    muted: 'Stumm',
    mutedUntil: (ts: Seconds) => `Stumm bis ${time(ts)}`,
    menu: 'Benachrichtigungen',
    settings: 'Benachrichtigungen',
  },
}
