import type { threads as english } from '../en/threads.ts'
import { listedIn } from '../listed.ts'
import { german } from './formats.ts'

const { counted, number } = german
const listed = listedIn(german)

export const threads: typeof english = {
  threads: {
    label: channel => `Unterhaltung in ${channel}`,
    title: 'Unterhaltung',
    newest: 'Neueste Antworten',
    drop: 'Loslassen fügt es deiner Antwort hinzu',
    close: 'Unterhaltung schließen',
    follow: 'Folgen',
    following: 'Du folgst',
    followAbout: 'Antworten in Unterhaltungen, denen du folgst, stehen in deiner Aktivität.',
    replies: count => counted(count, 'Antwort', 'Antworten'),
    fresh: count => `${number(count)} neu`,
    older: 'Ältere Antworten anzeigen',
    placeholder: 'Antworten',
    inChannel: channel => `Antworten stehen auch in ${channel}`,
    noRoot: 'Du siehst Antworten ab deinem Beitritt.',
    failed: 'Die Unterhaltung konnte nicht geladen werden. Gleich noch einmal versuchen.',
    lost: 'Diese Unterhaltung ist für dich nicht verfügbar.',
    notFollowed: 'Das wurde nicht gespeichert. Gleich noch einmal versuchen.',
    list: 'Unterhaltungen',
    left: 'Du folgst dieser Unterhaltung nicht mehr.',
    withNews: count => `${number(count)} mit Neuem`,
    which: 'Welche Unterhaltungen',
    followed: 'Gefolgt',
    started: 'Von mir begonnen',
    markAllRead: 'Alles gelesen',
    allRead: 'Alle Unterhaltungen sind gelesen.',
    nothingNew: 'In deinen Unterhaltungen gibt es nichts Neues.',
    newer: count => `${number(count)} neuer`,
    notAllRead: 'Einige Unterhaltungen sind nicht als gelesen markiert. Gleich noch einmal versuchen.',
    noneTitle: 'Noch keine Unterhaltungen',
    none: 'Antworte in einer Unterhaltung, dann steht sie hier.',
    noneStarted: 'Hier erscheinen Unterhaltungen unter deinen eigenen Nachrichten.',
    hint: [
      'Du folgst einer Unterhaltung, wenn du darin schreibst, darin genannt wirst oder auf ihr',
      'drückst.',
    ],
    place: (channel, people, isMore) =>
      `${channel}, ${isMore ? `${number(people)}+ Personen` : counted(people, 'Person', 'Personen')}`,
    more: 'Mehr zu dieser Unterhaltung',
    showRoot: channel => `In ${channel} zeigen`,
    unfollow: 'Nicht mehr folgen',
    listFailed: 'Die Unterhaltungen konnten nicht geladen werden. Gleich noch einmal versuchen.',
    time: ts => listed(ts),
    gone: 'Erste Nachricht nicht verfügbar',
    deleted: 'Nachricht gelöscht',
  },
}
