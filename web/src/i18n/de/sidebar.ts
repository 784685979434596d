import type * as en from '../en/sidebar.ts'
import { german } from './formats.ts'

const { counted } = german

export const sidebar: typeof en.sidebar = {
  sidebar: {
    label: 'Kanäle und Gespräche',
    mentions: 'Erwähnungen',
    channels: 'Kanäle',
    direct: 'Direktnachrichten',
    newMessage: 'Neue Nachricht',
    closeConversation: (name: string) => `Gespräch mit ${name} schließen`,
    closed: (name: string) => `Gespräch mit ${name} geschlossen`,
    unread: (count: number) => counted(count, 'ungelesene Nachricht', 'ungelesene Nachrichten'),
    mentioned: (count: number) => counted(count, 'Erwähnung', 'Erwähnungen'),
    draft: 'Entwurf',
    drafts: 'Entwürfe',
    notSent: 'Nachricht nicht gesendet',
    myStatus: 'Status und Abmelden',
    private: 'Privat',
    newPrivate: 'Neuer privater Kanal',
    jump: 'Springen zu …',
    noDms: 'Noch niemand. Das Plus fängt ein Gespräch an.',
  },

  notLoaded: 'Die Liste der Kanäle konnte nicht geladen werden.',

  newDm: {
    title: 'Neue Nachricht',
    field: 'An',
    placeholder: 'Namen eingeben',
    nobody: 'So heißt niemand.',
    alone: 'Bisher ist sonst niemand hier.',
    start: 'Beginnen',
    remove: (name: string) => `${name} entfernen`,
    people: 'Personen',
  },

  switcher: {
    label: 'Springen zu',
    placeholder: 'Kanal, Person oder Aktion',
    channel: 'Kanal',
    private: 'Privater Kanal',
    direct: 'Direktnachricht',
    person: 'Person',
    actions: 'Aktionen',
    places: 'Kanäle und Personen',
    useLight: 'Helles Aussehen',
    useDark: 'Dunkles Aussehen',
    mute: 'Benachrichtigungen eine Stunde stumm',
    unmute: 'Benachrichtigungen einschalten',
    settings: 'Einstellungen',
    shortcuts: 'Tastenkürzel',
    search: (typed: string) => `Nachrichten nach „${typed}“ durchsuchen`,
    nothing: (typed: string) => `Hier heißt nichts „${typed}“.`,
    found: (count: number) => counted(count, 'Treffer', 'Treffer'),
    move: 'Bewegen',
    open: 'Öffnen',
  },
}
