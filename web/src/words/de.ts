/** The same in German. It addresses nobody with «du» or «Sie» where a sentence does without. */
import type { Words } from '../words.ts'
import { formats } from './formats.ts'

const { counted, number, list, time, date, shortDay, size } = formats('de-DE', {
  today: 'Heute',
  yesterday: 'Gestern',
})

export const de: Words = {
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
    myStatus: 'Status und Abmelden',
    noDms: 'Noch niemand. Das Plus fängt ein Gespräch an.',
  },

  presence: { active: 'Aktiv', idle: 'Untätig', hidden: 'Abwesend', offline: 'Offline' },
  status: {
    auto: 'Automatisch',
    active: 'Aktiv',
    idle: 'Untätig',
    offline: 'Als offline erscheinen',
    signOut: 'Abmelden',
    title: 'Status',
  },

  header: {
    back: (unread: number) => (unread > 0 ? `Zurück zur Liste, ${unread} ungelesen` : 'Zurück zur Liste'),
    people: (all: number, here: number) => `${counted(all, 'Person', 'Personen')}, ${number(here)} da`,
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
    imageFrom: (name: string) => `Bild von ${name}`,
    images: (count: number) => counted(count, 'Bild', 'Bilder'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'Reaktion', 'Reaktionen'),
    replyTo: (name: string) => `Antwort an ${name}`,
    sending: 'Wird gesendet …',
    notSent: 'Nicht gesendet.',
    notSentBecause: (reason: string) => `Nicht gesendet: ${reason}.`,
    gone: 'Diese Nachricht ist nicht mehr hier.',
    noOlder: 'Ältere Nachrichten konnten nicht geladen werden.',
  },

  seen: {
    by: (count: number, of: number) => `Gesehen von ${number(count)} von ${number(of)}`,
    short: (count: number) => `Gesehen von ${number(count)}`,
    label: (names: string[]) => `Gesehen von ${list(names)}`,
  },

  actions: {
    label: 'Aktionen zur Nachricht',
    react: (name: string) => `Mit ${name.replaceAll('_', ' ')} reagieren`,
    addReaction: 'Reaktion hinzufügen',
    reply: 'Antworten',
    more: 'Weitere Aktionen',
    copyText: 'Text kopieren',
    copyLink: 'Link kopieren',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    textCopied: 'Text kopiert',
    linkCopied: 'Link kopiert',
    notCopied: 'Der Browser hat das Kopieren nicht erlaubt.',
    deleteTitle: 'Diese Nachricht löschen?',
    deleteMore: 'Wer sie gesehen hat, sieht dann, dass sie fort ist.',
    notDeleted: 'Die Nachricht konnte nicht gelöscht werden.',
    notEdited: 'Die Änderung konnte nicht gespeichert werden.',
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

  search: {
    label: 'Suche',
    field: 'Nachrichten suchen',
    clear: 'Leeren',
    close: 'Suche schließen',
    from: 'Von',
    anyone: 'allen',
    in: 'In',
    anywhere: 'überall',
    anyTime: 'Jederzeit',
    since: (from: string) => `Ab ${from}`,
    until: (to: string) => `Bis ${to}`,
    between: (from: string, to: string) => `${from} bis ${to}`,
    fromDate: 'Von',
    toDate: 'Bis',
    removePerson: 'Personenfilter entfernen',
    removeChannel: 'Kanalfilter entfernen',
    removeDate: 'Datumsfilter entfernen',
    nothing: (typed: string) => (typed ? `Nichts passt zu „${typed}“` : 'Nichts passt'),
    nothingMore: 'Vielleicht ein Tippfehler, oder ein Filter zu viel.',
    everywhere: 'In allen Kanälen suchen',
    hint: 'Ein Wort eingeben, oder Person, Kanal oder Tag wählen.',
    results: (count: number) => counted(count, 'Treffer', 'Treffer'),
    newest: (count: number) => `Die neuesten ${count}. Ein engerer Zeitraum zeigt ältere.`,
    failed: 'Die Suche ist fehlgeschlagen. Noch einmal versuchen.',
    move: 'Bewegen',
    show: 'Im Kanal zeigen',
    resultsLabel: 'Treffer',
    shortDate: shortDay,
  },

  mentions: {
    title: 'Erwähnungen',
    unread: (count: number) => `${number(count)} ungelesen`,
    none: 'Niemand wartet.',
    in: (channel: string) => `in ${channel}`,
    close: 'Erwähnungen schließen',
  },

  people: {
    title: 'Personen',
    here: 'Da',
    away: 'Nicht da',
    close: 'Personen schließen',
    message: (name: string) => `Nachricht an ${name}`,
  },

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

  viewer: {
    label: 'Bildansicht',
    of: (at: number, all: number) => `${at} von ${all}`,
    download: 'Herunterladen',
    next: 'Nächstes Bild',
    previous: 'Voriges Bild',
  },

  announce: {
    message: (name: string, text: string) => `${name}: ${text}`.slice(0, 140),
    many: (count: number) => counted(count, 'neue Nachricht', 'neue Nachrichten'),
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
