import type * as en from '../en/later.ts'
import { german } from './formats.ts'

const { counted } = german

export const later: typeof en.later = {
  pins: {
    open: (count: number) => `Angeheftet: ${counted(count, 'Nachricht', 'Nachrichten')}`,
    by: (name: string) => `Angeheftet von ${name}`,
    pin: 'Im Kanal anheften',
    unpin: 'Nicht mehr anheften',
    pinned: 'Nachricht angeheftet',
    unpinned: 'Nicht mehr angeheftet',
    notPinned: 'Die Nachricht konnte nicht angeheftet werden. Noch einmal versuchen.',
    tooMany: 'Dieser Kanal hat 100 angeheftete Nachrichten. Zuerst eine davon ablösen.',
    show: 'An ihrer Stelle zeigen',
    none: 'Hier ist nichts angeheftet.',
    hint: 'P auf einer Nachricht heftet sie an, für alle, die hier schreiben dürfen.',
    failed: 'Das Angeheftete konnte nicht geladen werden.',
  },
}
