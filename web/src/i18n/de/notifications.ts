import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/notifications.ts'
import { german } from './formats.ts'

const { counted, time } = german

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

  telling: {
    offer: 'Erwähnungen auf diesem Computer melden?',
    turnOn: 'Einschalten',
    on: 'Benachrichtigungen sind an.',
    notOn: 'Der Browser darf es nicht. Ändern lässt sich das links neben der Adresse.',
    severalFrom: (count: number, name: string) => `${counted(count, 'Nachricht', 'Nachrichten')} von ${name}`,
    severalIn: (count: number, place: string) => `${counted(count, 'Nachricht', 'Nachrichten')} in ${place}`,
    oneIn: (name: string, place: string) => `${name} in ${place}`,
    named: 'Eine Erwähnung',
    wrote: 'Neue Nachricht',
    said: (name: string, text: string) => `${name}: ${text}`,
  },
}
