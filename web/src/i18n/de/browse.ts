import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/browse.ts'
import { german } from './formats.ts'

const { counted, number, since } = german

export const browse: typeof en.browse = {
  about: {
    noTopic: 'Kein Thema',
    noDescription: 'Keine Beschreibung',
    edit: 'Kanal bearbeiten',
    archive: 'Archivieren',
    topic: 'Thema',
    description: 'Beschreibung',
    save: 'Speichern',
  },

  browse: {
    title: 'Kanäle',
    field: 'Kanäle finden',
    create: 'Neuer Kanal',
    make: 'Kanal anlegen',
    count: (count: number) => counted(count, 'Kanal', 'Kanäle'),
    countOf: (count: number, of: number) => `${number(count)} von ${counted(of, 'Kanal', 'Kanälen')}`,
    filters: { all: 'Alle', 'not-joined': 'Nicht beigetreten', archived: 'Archiviert' },
    keys: (command: string) => `↑ und ↓ wählen, Enter öffnet, ${command}+Enter tritt bei und bleibt hier.`,
    order: 'Reihenfolge',
    sorts: { newest: 'Neueste Nachricht zuerst', members: 'Meiste Personen zuerst', name: 'Nach Namen' },
    open: 'Öffnen',
    read: 'Lesen',
    move: 'Bewegen',
    joinHere: 'Beitreten und hier bleiben',
    joined: 'Beigetreten',
    join: 'Beitreten',
    joinName: (name: string) => `${name} beitreten`,
    archived: 'Archiviert',
    announcements: 'Ankündigungen',
    size: (people: number) => counted(people, 'Person', 'Personen'),
    newest: (ts: Seconds) => since(ts),
    privateNote: 'Private Kanäle stehen hier nicht. Beitreten kann, wer von jemandem darin hinzugefügt wird.',
    none: 'Hier ist kein Kanal.',
    noMatch: (words: string) => `Kein Kanal hat „${words}“ im Namen oder Thema.`,
    createNamed: (words: string) => `Neuer Kanal #${words}`,
    failed: 'Die Kanalliste konnte nicht geladen werden.',
    topic: 'Wofür ist er?',
    optional: 'Optional',
    addPeople: 'Personen hinzufügen',
    readers: 'Wer darf lesen?',
    everyone: 'Alle',
    everyoneHint: (people: number) =>
      people > 1
        ? `Alle ${people} können ihn finden, lesen und beitreten.`
        : 'Alle können ihn finden, lesen und beitreten.',
    private: 'Privat',
    privateHint: 'Nur Personen, die hinzugefügt werden.',
    readOnly: 'Nur Verwalter schreiben',
    readOnlyHint: 'Für Ankündigungen. Alle können lesen und reagieren.',
    address: (address: string) => `Adresse: ${address}`,
    near: (name: string, people: number) =>
      `Ähnlich wie #${name} mit ${counted(people, 'Person', 'Personen')}.`,
    openNear: (name: string) => `#${name} öffnen`,
    openPrivate: (name: string) => `${name} öffnen`,
    openTaken: 'Öffnen',
    ownPrivate: (name: string) => `Du bist schon in einem privaten Kanal mit dem Namen ${name}.`,
    isThere: (name: string) => `Es gibt schon einen Kanal #${name}.`,
    isArchived: (name: string) => `#${name} gibt es schon, er ist archiviert.`,
    addNobody: (command: string) => `${command}+Enter legt den Kanal an und fügt niemanden hinzu.`,
    taken: (name: string) => `Ein Kanal heißt schon „${name}“. Bitte einen anderen Namen wählen.`,
  },
}
