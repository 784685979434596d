import type * as en from '../en/common.ts'
import { german } from './formats.ts'

const { counted, number, time, date, fullTime } = german

export const common: typeof en.common = {
  date,
  fullTime,
  time,
  product: 'bothy',
  systemName: 'bothy',
  you: 'du',
  back: 'Zurück',
  close: 'Schließen',
  cancel: 'Abbrechen',
  delete: 'Löschen',
  save: 'Speichern',
  tryAgain: 'Noch einmal versuchen',
  newMessages: 'Neu',
  undo: 'Rückgängig',
  skip: 'Sprunglinks',
  skipToMessages: 'Zu den Nachrichten springen',
  skipToComposer: 'Zum Textfeld springen',

  pages: {
    full: (most: number) => `${number(most)} werden auf einmal gezeigt.`,
    goOn: 'Die nächsten zeigen',
    toStart: 'Zurück zum Anfang der Liste',
  },

  connection: {
    reconnecting:
      'Die Verbindung wird wiederhergestellt. Du kannst weiterschreiben; Nachrichten werden danach gesendet.',
    none: (host: string) => `Keine Verbindung zu ${host}.`,
    notConnected: 'Nicht verbunden',
    tryNow: 'Jetzt versuchen',
    manyTabs: 'bothy ist in vielen Tabs offen. Schließe einige, damit hier alles sofort ankommt.',
    newVersion: 'bothy wurde aktualisiert.',
    reload: 'Neu laden',
  },

  broken: {
    title: 'Hier ist etwas kaputtgegangen',
    more: 'Seite neu laden, dann geht es weiter. Entwürfe sind auf diesem Gerät sicher.',
    row: 'Diese Nachricht lässt sich nicht anzeigen.',
    part: 'Dieser Teil von bothy konnte nicht geladen werden.',
  },

  signedOut: {
    title: 'Diese Sitzung ist beendet',
    more: 'Nach dem Anmelden geht es weiter. Was geschrieben wurde, bleibt hier.',
    signIn: 'Anmelden',
  },

  farewell: {
    title: 'Das Konto ist gelöscht',
    more: 'Abgemeldet auf allen Geräten.',
    toStart: 'Zur Anmeldung',
  },

  announce: {
    message: (name: string, text: string) => Array.from(`${name}: ${text}`).slice(0, 140).join(''),
    many: (count: number) => counted(count, 'neue Nachricht', 'neue Nachrichten'),
    uploaded: 'Die Datei ist hochgeladen.',
    notSent: 'Die Nachricht wurde nicht gesendet.',
    lost: 'Die Verbindung ist verloren.',
  },

  tabs: {
    label: 'Bereiche',
    home: 'Start',
    activity: 'Aktivität',
    search: 'Suche',
    you: 'Konto',
  },
  keys: {
    ctrl: 'Strg',
    shift: 'Umschalt',
    alt: 'Alt',
    enter: 'Eingabe',
    esc: 'Esc',
    tab: 'Tab',
    delete: 'Entf',
    backspace: 'Rück',
    pageUp: 'Bild auf',
    pageDown: 'Bild ab',
    home: 'Pos 1',
    end: 'Ende',
  },
}
