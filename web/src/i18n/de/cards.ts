import type * as en from '../en/cards.ts'
import { german } from './formats.ts'

const { counted } = german

export const cards: typeof en.cards = {
  cards: {
    codeBlock: 'Code',
    table: 'Tabelle',
    picture: 'Bild',
    place: channel => `in ${channel}`,
    fold: 'Karte einklappen',
    unfold: 'Karte ausklappen',
    hide: 'Diese Karte für mich ausblenden',
    hidden: 'Karte auf diesem Gerät ausgeblendet.',
    open: 'In neuem Tab öffnen',
    copy: 'Code kopieren',
    copied: 'Code kopiert',
    code: (name, from, to) => {
      if (from === null || to === null) return `Code aus ${name}`
      return `Code aus ${name}, ${from === to ? `Zeile ${from}` : `Zeilen ${from} bis ${to}`} markiert`
    },
    lines: (first, last, total) =>
      first === last ? `Zeile ${first} von ${total}` : `Zeilen ${first}–${last} von ${total}`,
    whole: total => counted(total, 'Zeile', 'Zeilen'),
    showAll: count => `Alle ${counted(count, 'Zeile', 'Zeilen')} zeigen`,
    showAllFields: count => `Alle ${counted(count, 'Feld', 'Felder')} zeigen`,
    showFewer: 'Weniger zeigen',
  },
}
