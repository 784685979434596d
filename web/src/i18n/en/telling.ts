import { english } from './formats.ts'

const { counted } = english

export const telling = {
  telling: {
    offer: 'Show notifications for mentions on this computer?',
    turnOn: 'Turn on',
    on: 'Notifications are on.',
    notOn: 'Notifications are blocked. Change that at the left of the address bar.',
    severalFrom: (count: number, name: string) => `${counted(count, 'message', 'messages')} from ${name}`,
    severalIn: (count: number, place: string) => `${counted(count, 'message', 'messages')} in ${place}`,
    oneIn: (name: string, place: string) => `${name} in ${place}`,
    named: 'You were mentioned',
    wrote: 'New message',
    said: (name: string, text: string) => `${name}: ${text}`,
  },
}
