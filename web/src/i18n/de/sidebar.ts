import type * as en from '../en/sidebar.ts'
import { german } from './formats.ts'

const { counted, number } = german

export const sidebar: typeof en.sidebar = {
  sidebar: {
    label: 'Kanäle und Gespräche',
    activity: 'Aktivität',
    threads: 'Threads',
    favourites: 'Favoriten',
    channels: 'Kanäle',
    direct: 'Direktnachrichten',
    newMessage: 'Neue Nachricht',
    closeConversation: (name: string) => `Gespräch mit ${name} schließen`,
    closed: (name: string) => `Gespräch mit ${name} geschlossen`,
    unread: (count: number) => counted(count, 'ungelesene Nachricht', 'ungelesene Nachrichten'),
    unreadBeyond: (count: number) => `${number(count)} ungelesen`,
    mentioned: (count: number) => counted(count, 'Erwähnung', 'Erwähnungen'),
    callRunning: (count: number) => `Laufender Anruf, ${counted(count, 'Person', 'Personen')}`,
    draft: 'Entwurf',
    threadIn: name => `Thread in ${name}`,
    notSent: 'Nachricht nicht gesendet',
    myStatus: 'Status und Abmelden',
    private: 'Privat',
    newPrivate: 'Neuer privater Kanal',
    jump: 'Springen zu …',
    noDms: 'Noch niemand. Beginne ein Gespräch mit dem Plus.',
    emptySection: 'Noch leer. Zieh einen Kanal hierher, oder wähle „Verschieben nach“ in seinem Menü.',
    sectionMenu: (name: string) => `Aktionen für den Abschnitt ${name}`,
    notChanged: (name: string) => `${name} konnte nicht geändert werden. Bitte noch einmal versuchen.`,
    isMuted: 'Stumm',
  },

  notLoaded: 'Die Liste der Kanäle konnte nicht geladen werden.',
}
