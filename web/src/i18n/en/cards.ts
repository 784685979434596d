import { english } from './formats.ts'

const { counted } = english

export const cards = {
  cards: {
    codeBlock: 'Code',
    table: 'Table',
    picture: 'Picture',
    place: (channel: string) => `in ${channel}`,
    fold: 'Fold the card',
    unfold: 'Unfold the card',
    hide: 'Hide this card for me',
    hidden: 'Card hidden on this device.',
    open: 'Open in a new tab',
    copy: 'Copy the code',
    copied: 'Code copied',
    code: (name: string, from: number | null, to: number | null) => {
      if (from === null || to === null) return `Code from ${name}`
      return `Code from ${name}, ${from === to ? `line ${from}` : `lines ${from} to ${to}`} marked`
    },
    lines: (first: number, last: number, total: number) =>
      first === last ? `Line ${first} of ${total}` : `Lines ${first}–${last} of ${total}`,
    whole: (total: number) => counted(total, 'line', 'lines'),
    showAll: (count: number) => `Show all ${counted(count, 'line', 'lines')}`,
    showAllFields: (count: number) => `Show all ${counted(count, 'field', 'fields')}`,
    showFewer: 'Show fewer',
  },
}
