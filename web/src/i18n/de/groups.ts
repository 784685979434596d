import type { groups as english } from '../en/groups.ts'
import { german } from './formats.ts'

const { counted, list, number } = german

export const groups: typeof english = {
  groups: {
    about: 'Eine Nachricht mit @ und dem Kürzel einer Gruppe benachrichtigt alle darin.',
    make: 'Neue Gruppe',
    makeIt: 'Gruppe anlegen',
    save: 'Speichern',
    change: 'Ändern',
    changeOf: (handle: string) => `@${handle} ändern`,
    deleteOf: (handle: string) => `@${handle} löschen`,
    deleteMore: 'Das Kürzel benachrichtigt dann niemanden mehr. Nachrichten behalten ihren Text.',
    none: 'Noch keine Gruppen.',
    nobody: 'Noch niemand darin.',
    people: (count: number) => counted(count, 'Person', 'Personen'),
    members: 'Personen in der Gruppe',
    addMe: 'Mich hinzufügen',
    name: 'Name',
    handle: 'Kürzel',
    handleHint: (handle: string) => `Geschrieben wird @${handle}.`,
    nameNeeded: 'Die Gruppe braucht einen Namen.',
    handleForm: 'Das Kürzel hat 1 bis 32 Buchstaben (ohne Umlaute), Ziffern, Binde- oder Unterstriche.',
    taken: (handle: string) => `@${handle} ist vergeben, an eine Person oder eine andere Gruppe.`,
    notSaved: 'Die Gruppe konnte nicht gespeichert werden. Bitte noch einmal versuchen.',
    gone: (handle: string) => `Die Gruppe @${handle} gibt es nicht mehr.`,
    missed: (count: number, handles: string[]) =>
      `${counted(count, 'Person', 'Personen')} aus ${list(handles.map(handle => `@${handle}`))} ${count === 1 ? 'ist' : 'sind'} nicht in diesem Kanal.`,
    notifyMany: (names: string[], count: number) =>
      `${list(names)} ${names.length === 1 ? 'benachrichtigt' : 'benachrichtigen'} ${counted(count, 'Person', 'Personen')}`,
    notifyManyMore: (channel: string, here: number | undefined) =>
      here === undefined
        ? `In ${channel}.`
        : `In ${channel}. ${counted(here, 'Person ist', 'Personen sind')} gerade da.`,
    notify: (count: number) => `${number(count)} benachrichtigen`,
    sendWithout: 'Senden ohne Benachrichtigung',
    addThem: 'Hinzufügen',
    notAdded: (names: string[]) =>
      `${list(names)} ${names.length === 1 ? 'konnte' : 'konnten'} nicht hinzugefügt werden.`,
    added: (count: number, channel: string) =>
      `${counted(count, 'Person', 'Personen')} zu ${channel} hinzugefügt.`,
  },
}
