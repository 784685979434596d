import { english } from './formats.ts'

const { counted } = english

export const later = {
  pins: {
    open: (count: number) => `Pins: ${counted(count, 'message', 'messages')}`,
    by: (name: string) => `Pinned by ${name}`,
    pin: 'Pin to the channel',
    unpin: 'Unpin',
    pinned: 'Message pinned',
    unpinned: 'Pin taken away',
    notPinned: 'The message could not be pinned. Try again.',
    tooMany: 'This channel has 100 pins. Take one away first.',
    show: 'Show in place',
    none: 'Nothing is pinned here.',
    hint: 'P on a message pins it, for those who may write here.',
    failed: 'The pins could not be loaded.',
  },
}
