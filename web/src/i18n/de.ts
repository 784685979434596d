/** The same in German. It addresses nobody with «du» or «Sie» where a sentence does without. */
import type { Seconds } from '#shared/domain/units.ts'
import type { en } from './en.ts'
import { formats } from './formats.ts'

/** Shared with the words of the settings, which are fetched with them. */
export const german = formats('de-DE', {
  today: 'Heute',
  yesterday: 'Gestern',
})
const { counted, number, list, time, date, size } = german

export const de: typeof en = {
  date,
  time,
  product: 'bothy',
  systemName: 'bothy',
  you: 'du',
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

  presence: { active: 'Aktiv', idle: 'Untätig', hidden: 'Abwesend', offline: 'Offline' },
  status: {
    auto: 'Automatisch',
    active: 'Aktiv',
    idle: 'Untätig',
    offline: 'Als offline erscheinen',
    signOut: 'Abmelden',
    settings: 'Einstellungen',
    title: 'Status',
  },

  header: {
    back: (unread: number) => (unread > 0 ? `Zurück zur Liste, ${unread} ungelesen` : 'Zurück zur Liste'),
    people: (all: number, here: number) => `${counted(all, 'Person', 'Personen')}, ${number(here)} da`,
    count: (all: number) => counted(all, 'Person', 'Personen'),
    peopleButton: 'Personen in diesem Kanal',
    search: 'Nachrichten suchen',
  },

  list: {
    label: (channel: string) => `Nachrichten in ${channel}`,
    loading: 'Nachrichten werden geladen',
    failed: 'Dieser Kanal konnte nicht geladen werden',
    failedMore: 'Der Server hat nicht geantwortet, wie er sollte. Entwürfe sind sicher.',
    forbidden: 'Dieses Gespräch ist nicht lesbar',
    forbiddenMore: 'Es gibt es nicht, oder es ist nicht für dieses Konto offen.',
    start: (channel: string) => `Hier beginnt ${channel}`,
    startWith: (names: string) => `Hier beginnt das Gespräch mit ${names}`,
    startPublic: 'Alle auf diesem Server können hier lesen und schreiben. Wozu ist der Kanal da?',
    startDirect: 'Nur die oben genannten Personen können lesen, was hier steht.',
    latest: 'Neueste',
    newer: (count: number) => counted(count, 'neuere Nachricht', 'neuere Nachrichten'),
    newHere: 'Hier beginnen neue Nachrichten.',
    deleted: 'Nachricht gelöscht',
    deletedMany: (count: number) => counted(count, 'Nachricht gelöscht', 'Nachrichten gelöscht'),
    edited: '(bearbeitet)',
    editedAt: ts => `Bearbeitet um ${time(ts)}`,
    image: 'Bild',
    imageFailed: 'Konnte nicht geladen werden.',
    imageRetry: (name: string) => `Bild von ${name} konnte nicht geladen werden. Erneut versuchen`,
    play: 'Abspielen',
    pause: 'Anhalten',
    imageFrom: (name: string) => `Bild von ${name}`,
    images: (count: number) => counted(count, 'Bild', 'Bilder'),
    files: (count: number) => counted(count, 'Datei', 'Dateien'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'Reaktion', 'Reaktionen'),
    replyTo: (name: string) => `Antwort an ${name}`,
    sending: 'Wird gesendet …',
    notSent: 'Nicht gesendet.',
    notSentBecause: (reason: string) => `Nicht gesendet: ${reason}.`,
    notSentOld: 'Nicht gesendet: vor mehr als einem Tag geschrieben.',
    waiting: 'Geht hinaus, sobald die Verbindung wieder da ist',
    gone: 'Diese Nachricht ist nicht mehr hier.',
    noOlder: 'Ältere Nachrichten konnten nicht geladen werden.',
  },

  cards: {
    fence: 'Code',
  },

  seen: {
    by: (count: number, of: number) => `Gesehen von ${number(count)} von ${number(of)}`,
    short: (count: number) => `Gesehen von ${number(count)}`,
    label: (names: string[], count: number) =>
      count > names.length
        ? `Gesehen von ${list([...names, counted(count - names.length, 'weiteren Person', 'weiteren Personen')])}`
        : `Gesehen von ${list(names)}`,
    unknown: 'Gesehen von …',
  },

  actions: {
    label: 'Aktionen zur Nachricht',
    react: (name: string) => `Mit ${name.replaceAll('_', ' ')} reagieren`,
    addReaction: 'Reaktion hinzufügen',
    reply: 'Antworten',
    more: 'Weitere Aktionen',
    copyText: 'Text kopieren',
    copyLink: 'Link kopieren',
    showParent: 'Zeigen, worauf sie antwortet',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    textCopied: 'Text kopiert',
    linkCopied: 'Link kopiert',
    notCopied: 'Der Browser hat das Kopieren nicht erlaubt.',
    notDeleted: 'Die Nachricht konnte nicht gelöscht werden.',
    notEdited: 'Die Änderung konnte nicht gespeichert werden.',
    editAgain: 'Erneut bearbeiten',
    notReacted: 'Die Reaktion konnte nicht gespeichert werden.',
  },

  reaction: {
    by: (names: string[], name: string) =>
      `${list(names)} ${names.length === 1 ? 'hat' : 'haben'} mit ${name.replaceAll('_', ' ')} reagiert`,
  },

  picker: {
    label: 'Reaktion wählen',
    emojiLabel: 'Emoji wählen',
    search: 'Emoji suchen',
    frequent: 'Oft benutzt',
    all: 'Alle',
    nothing: 'So heißt kein Emoji.',
    results: 'Gefunden',
  },

  composer: {
    placeholder: (channel: string) => `Nachricht an ${channel}`,
    addFiles: 'Bilder hinzufügen',
    emoji: 'Emoji',
    mention: 'Jemanden erwähnen',
    formatting: 'Formatierung',
    bold: 'Fett',
    italic: 'Kursiv',
    strike: 'Durchgestrichen',
    code: 'Code',
    send: 'Senden',
    newLine: 'neue Zeile',
    replying: 'Antwort an',
    cancelReply: 'Nicht antworten',
    editing: 'Nachricht bearbeiten',
    cancelEdit: 'abbrechen',
    editLabel: 'Nachricht bearbeiten',
    remove: (name: string) => `${name} entfernen`,
    onlyImages: 'Hier können nur Bilder gesendet werden.',
    tooLarge: (bytes: number, limit: number) =>
      `Diese Datei hat ${size(bytes)}. Hier sind höchstens ${size(limit)} erlaubt.`,
    tooLong: (length: number, limit: number) =>
      `${number(length)} Zeichen. In eine Nachricht passen ${number(limit)}.`,
    drop: (channel: string) => `Loslassen fügt es ${channel} hinzu`,
    draftSaved: 'Entwurf auf diesem Gerät gespeichert',
    people: (channel: string) => `Personen in ${channel}`,
    everyone: (count: number) => `benachrichtigt ${counted(count, 'Person', 'Personen')}`,
    attached: 'Angehängte Bilder',
    uploading: (name: string) => `${name} wird hochgeladen`,
    cancelUpload: (name: string) => `Hochladen von ${name} abbrechen`,
  },

  typing: names => {
    if (names.length > 2) return 'Mehrere schreiben gerade'
    return names.length === 1 ? `${names[0]} schreibt gerade` : `${list(names)} schreiben gerade`
  },

  connection: {
    reconnecting:
      'Die Verbindung wird wiederhergestellt. Schreiben geht weiter; Nachrichten gehen danach hinaus.',
    none: (host: string) => `Keine Verbindung zu ${host}.`,
    tryNow: 'Jetzt versuchen',
    manyTabs: 'bothy ist in vielen Tabs offen. Sind es weniger, kommt hier wieder alles sofort an.',
    newVersion: 'bothy wurde erneuert.',
    reload: 'Neu laden',
  },

  signedOut: {
    title: 'Diese Sitzung ist beendet',
    more: 'Nach dem Anmelden geht es weiter. Was geschrieben wurde, bleibt hier.',
    signIn: 'Anmelden',
  },

  privateChannel: {
    unknown: 'Privater Kanal',
    skipped: (names: string[]) => `Hier heißt niemand ${list(names)}.`,
    lost: (name: string) => `${name} ist nicht mehr zugänglich.`,
    left: (name: string) => `${name} verlassen.`,
    notLeft: 'Das Verlassen hat nicht geklappt. Noch einmal versuchen.',
    start: 'Nur die Personen dieses Kanals können lesen, was hier steht.',
    sinceJoined: 'Zu sehen sind Nachrichten seit dem Beitritt.',
  },

  notice: {
    added: (who: string, whom: string) => `${who} hat ${whom} hinzugefügt`,
    left: (who: string) => `${who} hat den Kanal verlassen`,
    renamed: (who: string, name: string) => `${who} hat den Kanal in „${name}“ umbenannt`,
  },

  profile: {
    label: (name: string) => `Profil von ${name}`,
    open: (name: string) => `Profil von ${name}`,
    now: { active: 'Jetzt aktiv', idle: 'Untätig', hidden: 'Abwesend', offline: 'Offline' },
    message: 'Nachricht',
    call: 'Anrufen',
    mention: 'Im Textfeld erwähnen',
    alsoIn: (channels: string[]) => `Auch in ${list(channels)}`,
    edit: 'Profil bearbeiten',
    gone: 'Dieses Konto gibt es nicht mehr.',
    since: (date: string) => `Hier seit ${date}`,
  },

  keyboard: {
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
  },

  calls: {
    voice: 'Sprachanruf beginnen',
    video: 'Videoanruf beginnen',
    share: 'Bildschirm teilen',
    notLoaded: 'Anrufe konnten nicht geladen werden. Seite neu laden und noch einmal versuchen.',
  },

  mute: {
    hour: 'Eine Stunde stumm',
    tomorrow: 'Bis morgen',
    forever: 'Bis auf Weiteres',
    unmute: 'Wieder einschalten',
    on: 'Benachrichtigungen an',
    muted: 'Stumm',
    mutedUntil: (ts: Seconds) => `Stumm bis ${time(ts)}`,
    menu: 'Benachrichtigungen',
    settings: 'Benachrichtigungen',
  },

  farewell: {
    title: 'Das Konto ist gelöscht',
    more: 'Abgemeldet auf allen Geräten.',
    toStart: 'Zur Anmeldung',
  },

  announce: {
    message: (name: string, text: string) => Array.from(`${name}: ${text}`).slice(0, 140).join(''),
    many: (count: number) => counted(count, 'neue Nachricht', 'neue Nachrichten'),
    uploaded: 'Das Bild ist da.',
    notSent: 'Die Nachricht wurde nicht gesendet.',
    lost: 'Die Verbindung ist verloren.',
  },

  tabs: {
    label: 'Bereiche',
    home: 'Start',
    mentions: 'Erwähnungen',
    search: 'Suche',
    you: 'Konto',
  },
  notLoaded: 'Die Liste der Kanäle konnte nicht geladen werden.',
}
