import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/details.ts'
import { german } from './formats.ts'

const { counted, date, list, number } = german

export const details: typeof en.details = {
  details: {
    title: 'Angaben zum Kanal',
    close: 'Angaben schließen',
    pins: 'Angeheftet',
    about: 'Info',
    count: (count: number) => number(count),
    edit: 'Ändern',
    editNamed: (what: string) => `Ändern: ${what}`,
    tellMe: 'Benachrichtigen bei',
    numberStays: 'Die Zahl in der Liste bleibt',
    isFavourite: 'Bei den Favoriten',
    canUndo: 'Lässt sich zurücknehmen',
    madeBy: 'Angelegt von',
    made: (name: string, ts: Seconds) => `${name}, ${date(ts)}`,
    managedBy: 'Verwaltet von',
    names: (names: string[]) => list(names),
    writing: 'Schreiben',
    onlyManagers: 'Nur Verwalter',
    madeChannel: 'hat diesen Kanal angelegt',
    start: 'Beginn',
    everyoneStarts: 'Alle treten diesem Kanal automatisch bei',
    keptFor: 'Aufbewahrt',
    kept: (days: number) => (days === 0 ? 'Immer' : counted(days, 'Tag', 'Tage')),
    history: 'Verlauf',
    manager: 'Verwalter',
    personMenu: (name: string) => `Aktionen für ${name}`,
    makeManager: 'Zum Verwalter machen',
    noManager: 'Als Verwalter entfernen',
    remove: 'Aus dem Kanal entfernen',
    addTo: (name: string) => `Personen zu ${name} hinzufügen`,
    add: 'Hinzufügen',
    guestsRead: 'Gäste lesen auch alles, was hier schon steht.',
    guestsByManagers: 'Gäste nehmen nur die Verwalter des Kanals auf.',
    fromJoining: (ts: Seconds) => `Ab dem Beitritt, ${date(ts)}`,
  },
}
