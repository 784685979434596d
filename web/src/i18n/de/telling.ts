import type { telling as inEnglish } from '../en/telling.ts'
import { german } from './formats.ts'

const { counted } = german

export const telling: typeof inEnglish = {
  telling: {
    offer: 'Bei Erwähnungen auf diesem Computer benachrichtigen?',
    turnOn: 'Einschalten',
    on: 'Benachrichtigungen sind an.',
    notOn: 'Benachrichtigungen sind blockiert. Ändern lässt sich das links neben der Adresse.',
    severalFrom: (count: number, name: string) => `${counted(count, 'Nachricht', 'Nachrichten')} von ${name}`,
    severalIn: (count: number, place: string) => `${counted(count, 'Nachricht', 'Nachrichten')} in ${place}`,
    oneIn: (name: string, place: string) => `${name} in ${place}`,
    named: 'Eine Erwähnung',
    wrote: 'Neue Nachricht',
    said: (name: string, text: string) => `${name}: ${text}`,
  },
}
