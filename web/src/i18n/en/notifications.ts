import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { time } = english

export const notifications = {
  mute: {
    hour: 'Mute for an hour',
    tomorrow: 'Until tomorrow',
    forever: 'Until turned on again',
    unmute: 'Turn on again',
    on: 'Notifications on',
    muted: 'Muted',
    mutedUntil: (ts: Seconds) => `Muted until ${time(ts)}`,
    menu: 'Notifications',
    settings: 'Notifications',
  },
}
