import { english } from './formats.ts'

const { counted } = english

export const telling = {
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
