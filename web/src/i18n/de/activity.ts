import type * as en from '../en/activity.ts'
import { german } from './formats.ts'

const { counted, number, list, since } = german

const people = (names: string[], count: number) =>
  list(count > names.length ? [...names, counted(count - names.length, 'weitere Person', 'weitere')] : names)

export const activity: typeof en.activity = {
  activity: {
    title: 'Aktivität',
    kinds: 'Arten von Aktivität',
    tabs: { all: 'Alle', mention: 'Erwähnungen', reply: 'Antworten', reaction: 'Reaktionen' },
    unread: count => `${number(count)} ungelesen`,
    unreadItems: count => counted(count, 'ungelesener Eintrag', 'ungelesene Einträge'),
    isUnread: 'Ungelesen',
    markAllRead: 'Alle als gelesen markieren',
    close: 'Aktivität schließen',
    direct: 'Direktnachricht',
    in: channel => `in ${channel}`,
    did: {
      mention: (names, count) => people(names, count),
      reply: (names, count) => `Antwort von ${people(names, count)}`,
      reaction: (names, count) => `Reaktion von ${people(names, count)}`,
      added: names => `Hinzugefügt von ${list(names)}`,
      reminder: names => `Erinnerung: ${list(names)}`,
      command: names => `${list(names)} antwortet auf den Befehl`,
      alone: names => `${list(names)} hat nur dir geschrieben`,
      failed: () => 'Eine geplante Nachricht wurde nicht gesendet',
    },
    none: {
      all: 'Hier erscheinen Erwähnungen sowie Antworten und Reaktionen auf deine Nachrichten.',
      mention: 'In den letzten 90 Tagen hat dich niemand erwähnt.',
      reply: 'In den letzten 90 Tagen hat dir niemand geantwortet.',
      reaction: 'In den letzten 90 Tagen hat niemand auf deine Nachrichten reagiert.',
    },
    failed: 'Die Aktivität konnte nicht geladen werden. Gleich noch einmal versuchen.',
  },

  replies: {
    count: count => counted(count, 'Antwort', 'Antworten'),
    show: (count, names) => `${counted(count, 'Antwort', 'Antworten')} anzeigen, zuletzt von ${list(names)}`,
    fresh: count => `${number(count)} neu`,
    last: ts => `zuletzt ${since(ts)}`,
    folded: 'Antwort auf dieselbe Nachricht',
  },
}
