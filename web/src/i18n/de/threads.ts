import type { threads as english } from '../en/threads.ts'
import { german } from './formats.ts'

const { counted, number, since } = german

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
    closeList: 'Unterhaltungen schließen',
    onlyUnread: 'Nur mit Neuem',
    markAllRead: 'Alle Unterhaltungen als gelesen markieren',
    notAllRead: 'Einige Threads sind nicht als gelesen markiert. Gleich noch einmal versuchen.',
    none: 'Hier erscheinen Unterhaltungen, in denen du schreibst oder genannt wirst.',
    noneUnread: 'In deinen Unterhaltungen gibt es nichts Neues.',
    listFailed: 'Die Unterhaltungen konnten nicht geladen werden. Gleich noch einmal versuchen.',
    in: channel => `in ${channel}`,
    time: ts => since(ts),
    gone: 'Erste Nachricht nicht verfügbar',
    deleted: 'Nachricht gelöscht',
  },
}
