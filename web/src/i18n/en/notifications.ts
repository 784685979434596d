import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, time } = english

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

  telling: {
    offer: 'Get told about mentions on this computer?',
    turnOn: 'Turn on',
    on: 'Notifications are on.',
    notOn: 'The browser was told not to. That can be changed at the left of the address bar.',
    severalFrom: (count: number, name: string) => `${counted(count, 'message', 'messages')} from ${name}`,
    severalIn: (count: number, place: string) => `${counted(count, 'message', 'messages')} in ${place}`,
    oneIn: (name: string, place: string) => `${name} in ${place}`,
    named: 'You were mentioned',
    wrote: 'New message',
    said: (name: string, text: string) => `${name}: ${text}`,
  },
}
