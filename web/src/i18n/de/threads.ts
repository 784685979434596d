import type { threads as english } from '../en/threads.ts'
import { listedIn } from '../formats.ts'
import { german } from './formats.ts'

const { counted, number } = german
const listed = listedIn(german)

export const threads: typeof english = {
  threads: {
    label: channel => `Thread in ${channel}`,
    title: 'Thread',
    newest: 'Neueste Antworten',
    drop: 'Loslassen fügt es deiner Antwort hinzu',
    close: 'Thread schließen',
    follow: 'Folgen',
    following: 'Du folgst',
    followAbout: 'Antworten in Threads, denen du folgst, stehen in deiner Aktivität.',
    replies: count => counted(count, 'Antwort', 'Antworten'),
    fresh: count => `${number(count)} neu`,
    older: 'Ältere Antworten anzeigen',
    placeholder: 'Antworten',
    inChannel: channel => `Antworten stehen auch in ${channel}`,
    noRoot: 'Du siehst Antworten ab deinem Beitritt.',
    failed: 'Der Thread konnte nicht geladen werden. Gleich noch einmal versuchen.',
    lost: 'Dieser Thread ist für dich nicht verfügbar.',
    notFollowed: 'Das wurde nicht gespeichert. Gleich noch einmal versuchen.',
    list: 'Threads',
    left: 'Du folgst diesem Thread nicht mehr.',
    withNews: count => `${number(count)} ungelesen`,
    which: 'Welche Threads',
    followed: 'Gefolgt',
    started: 'Von mir begonnen',
    markAllRead: 'Alles gelesen',
    allRead: 'Alle Threads sind gelesen.',
    nothingNew: 'In deinen Threads gibt es nichts Neues.',
    newer: count => `${number(count)} neuer`,
    notAllRead: 'Einige Threads sind nicht als gelesen markiert. Gleich noch einmal versuchen.',
    noneTitle: 'Noch keine Threads',
    none: 'Antworte in einem Thread, dann steht sie hier.',
    noneStarted: 'Hier erscheinen Threads unter deinen eigenen Nachrichten.',
    hint: ['Du folgst einem Thread, wenn du darin schreibst, darin genannt wirst oder auf ihm', 'drückst.'],
    place: (channel, people, isMore) =>
      `${channel}, ${isMore ? `${number(people)}+ Personen` : counted(people, 'Person', 'Personen')}`,
    more: 'Mehr zu diesem Thread',
    showRoot: channel => `In ${channel} zeigen`,
    unfollow: 'Nicht mehr folgen',
    listFailed: 'Die Threads konnten nicht geladen werden. Gleich noch einmal versuchen.',
    time: ts => listed(ts),
    gone: 'Erste Nachricht nicht verfügbar',
    deleted: 'Nachricht gelöscht',
  },
}
