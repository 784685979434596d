import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/joining.ts'
import { german } from './formats.ts'

const { date } = german

export const joining: typeof en.joining = {
  joining: {
    add: 'Kanäle finden oder anlegen',
    browse: 'Kanäle durchsehen',
    create: 'Neuer Kanal',
    leave: 'Kanal verlassen',
    looking: (name: string) => `${name}, noch nicht beigetreten.`,
    join: 'Beitreten',
    startArchived: 'Alle hier konnten in diesem Kanal lesen und schreiben.',
    startReadOnly: 'Alle können hier lesen, nur Verwalter schreiben.',
    managersWrite: 'Hier schreiben nur Verwalter. Lesen und Reagieren geht.',
    whoWrites: 'Wer sind die Verwalter?',
    archived: (ts: Seconds | null) =>
      `${ts === null ? 'Archiviert' : `Archiviert: ${date(ts)}`}. Lesen und Suchen geht, Schreiben nicht.`,
    unarchive: 'Wiederherstellen',
    isArchived: (name: string) => `${name} ist archiviert.`,
    notJoined: (name: string) => `${name}: Der Beitritt ist nicht gelungen. Bitte noch einmal versuchen.`,
  },
}
