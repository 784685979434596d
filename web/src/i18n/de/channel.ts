import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import type * as en from '../en/channel.ts'
import { german } from './formats.ts'

/** Screen readers say the name of the emoji in German. */
const emojiOf = (name: string) => REACTION_EMOJI.get(name) ?? name.replaceAll('_', ' ')

const { counted, number, list, time, size } = german

const ACTS: Record<string, string> = {
  'left the channel.': 'hat den Kanal verlassen',
  'made this channel.': 'hat diesen Kanal angelegt',
  'took the topic away.': 'hat das Thema entfernt',
  'made this channel read-only.': 'lässt hier nur noch Verwalter schreiben',
  'lets everybody write again.': 'lässt wieder alle schreiben',
  'archived this channel.': 'hat diesen Kanal archiviert',
  'brought this channel back.': 'hat diesen Kanal zurückgeholt',
}

export const channel: typeof en.channel = {
  header: {
    back: (unread: number) => (unread > 0 ? `Zurück zur Liste, ${unread} ungelesen` : 'Zurück zur Liste'),
    people: (all: number, here: number) => `${counted(all, 'Person', 'Personen')}, ${number(here)} da`,
    count: (all: number) => counted(all, 'Person', 'Personen'),
    details: 'Angaben zu diesem Kanal',
    favourite: 'Favorit',
    notify: 'Benachrichtigungen dieses Kanals',
    topic: 'Thema',
    addTopic: 'Thema hinzufügen',
    editTopic: (topic: string) => `Thema: ${topic}. Bearbeiten`,
    guests: 'Mit Gästen',
    search: 'Nachrichten suchen',
  },

  list: {
    label: (channel: string) => `Nachrichten in ${channel}`,
    loading: 'Nachrichten werden geladen',
    failed: channel => `${channel} konnte nicht geladen werden`,
    notHere: channel => `${channel} ist noch nicht auf diesem Gerät`,
    notHereMore: 'Lädt von selbst, sobald die Verbindung wieder da ist. Entwürfe sind sicher.',
    failedMore: 'Der Server hat nicht geantwortet, wie er sollte. Entwürfe sind sicher.',
    forbidden: 'Dieses Gespräch ist nicht lesbar',
    noAccount: names => `Es gibt kein Konto namens ${list(names)}`,
    noAccountMore: 'Die Adresse prüfen, oder jemand anderem schreiben.',
    noChannel: name => `Es gibt keinen Kanal namens ${name}`,
    noChannelMore: 'Die Adresse prüfen, oder einen Kanal aus der Liste wählen.',
    notMember: 'Dieser private Kanal ist für dieses Konto nicht offen',
    notMemberMore: 'Es gibt ihn nicht, oder jemand daraus muss dich hinzufügen.',
    start: (channel: string) => `Hier beginnt ${channel}`,
    startWith: (names: string) => `Hier beginnt das Gespräch mit ${names}`,
    startPublic: 'Alle auf diesem Server können hier lesen und schreiben. Wozu ist der Kanal da?',
    startDirect: 'Nur die oben genannten Personen können lesen, was hier steht.',
    latest: 'Neueste',
    newer: (count: number) => counted(count, 'neuere Nachricht', 'neuere Nachrichten'),
    newHere: 'Hier beginnen neue Nachrichten.',
    deleted: 'Nachricht gelöscht',
    deletedMany: (count: number) => counted(count, 'Nachricht gelöscht', 'Nachrichten gelöscht'),
    removedBy: (name: string) => `Von ${name} entfernt`,
    showMore: 'Mehr zeigen',
    showLess: 'Weniger zeigen',
    edited: '(bearbeitet)',
    editedAt: ts => `Bearbeitet um ${time(ts)}`,
    image: 'Bild',
    imageFailed: name =>
      `Bild von ${name} konnte nicht geladen werden. Drücken, um es noch einmal zu versuchen.`,
    play: 'Abspielen',
    pause: 'Anhalten',
    imageFrom: (name: string) => `Bild von ${name}`,
    imageAndMore: (name, count) => `Bild von ${name}, +${count} weitere`,
    images: (count: number) => counted(count, 'Bild', 'Bilder'),
    files: (count: number) => counted(count, 'Datei', 'Dateien'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'Reaktion', 'Reaktionen'),
    replyTo: (name: string) => `Antwort an ${name}`,
    sending: 'Wird gesendet …',
    notSent: 'Nicht gesendet.',
    notSentOld: 'Nicht gesendet: vor mehr als einem Tag geschrieben.',
    waiting: 'Wird gesendet, sobald die Verbindung wieder da ist',
    gone: 'Diese Nachricht ist nicht mehr hier.',
    noOlder: channel =>
      `Weitere Nachrichten aus ${channel} konnten nicht geladen werden. Beim Weiterblättern wird es noch einmal versucht.`,
  },

  refused: {
    notAPicture: name => `Nicht gesendet: ${name} lässt sich nicht als Bild öffnen.`,
    empty: 'Nicht gesendet: Es steht kein Text darin.',
    tooLong: most => `Nicht gesendet: Eine Nachricht fasst ${number(most)} Zeichen. Bitte kürzen.`,
    tooLarge: (name, megabytes) =>
      `Nicht gesendet: ${name} ist zu groß. Hier sind höchstens ${number(megabytes)} MB möglich.`,
    noRoom: name =>
      `Nicht gesendet: Der Server hat keinen Platz für ${name}. Der Person Bescheid geben, die ihn betreibt, dann noch einmal versuchen.`,
    quota: megabytes =>
      `Nicht gesendet: In 24 Stunden sind ${number(megabytes)} MB an Dateien möglich. Später noch einmal versuchen.`,
    notAllowed: name => `Nicht gesendet: Hier gehen nur Bilder, und ${name} ist keines.`,
    forbidden: channel => `Nicht gesendet: In ${channel} lässt sich nicht mehr schreiben.`,
    noAccount: name => `Nicht gesendet: Es gibt kein Konto namens ${name}.`,
    tooManyPeople: most =>
      `Nicht gesendet: Ein Gespräch hat höchstens ${number(most)} Leute. Stattdessen einen privaten Kanal anlegen.`,
    other: 'Nicht gesendet: Der Server hat es nicht angenommen.',
  },

  seen: {
    by: (count: number, of: number) => `Gesehen von ${number(count)} von ${number(of)}`,
    short: (count: number) => `Gesehen von ${number(count)}`,
    label: (names: string[], count: number) =>
      count > names.length
        ? `Gesehen von ${list([...names, counted(count - names.length, 'weiteren Person', 'weiteren Personen')])}`
        : `Gesehen von ${list(names)}`,
    unknown: 'Gesehen von …',
    nobody: 'Das hat noch niemand gelesen.',
    failed: 'Wer diese Nachricht gelesen hat, konnte nicht geladen werden. Gleich noch einmal versuchen.',
  },

  actions: {
    label: 'Aktionen zur Nachricht',
    react: (name: string) => `Mit ${emojiOf(name)} reagieren`,
    addReaction: 'Reaktion hinzufügen',
    reply: 'Antworten',
    thread: 'Thread öffnen',
    more: 'Weitere Aktionen',
    copyText: 'Text kopieren',
    copyLink: 'Link kopieren',
    markUnread: 'Als ungelesen markieren',
    save: 'Für später merken',
    showParent: 'Zeigen, worauf sie antwortet',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    textCopied: 'Text kopiert',
    linkCopied: 'Link kopiert',
    notCopied: text =>
      `Der Browser hat es nicht erlaubt, „${text}“ zu kopieren. Auswählen und mit der Tastatur kopieren.`,
    notDeleted: 'Die Nachricht konnte nicht gelöscht werden. Noch einmal versuchen.',
    notEdited: 'Die Änderung konnte nicht gespeichert werden.',
    editAgain: 'Erneut bearbeiten',
    notReacted: 'Die Reaktion konnte nicht gespeichert werden. Noch einmal versuchen.',
  },

  reaction: {
    title: 'Reaktionen',
    none: 'Die Reaktionen wurden entfernt.',
    count: (count: number, name: string) =>
      `${counted(count, 'Person hat', 'Personen haben')} mit ${emojiOf(name)} reagiert`,
    by: (names: string[], name: string, others = 0) =>
      `${list(others > 0 ? [...names, counted(others, 'weitere Person', 'weitere')] : names)} ${names.length + others === 1 ? 'hat' : 'haben'} mit ${emojiOf(name)} reagiert`,
  },

  picker: {
    label: 'Reaktion wählen',
    emojiLabel: 'Emoji wählen',
  },

  composer: {
    placeholder: (channel: string) => `Nachricht an ${channel}`,
    addFiles: 'Dateien hinzufügen',
    emoji: 'Emoji',
    mention: 'Jemanden erwähnen',
    formatting: 'Formatierung',
    formats: {
      bold: 'Fett',
      italic: 'Kursiv',
      strike: 'Durchgestrichen',
      link: 'Link',
      quote: 'Zitat',
      bullets: 'Liste',
      numbers: 'Nummerierte Liste',
      code: 'Code',
      codeBlock: 'Codeblock',
    },
    formatAs: (name: string, example: string) => `${name}: ${example}`,
    group: (name: string, count: number) => `${name} · ${counted(count, 'Person', 'Personen')}`,
    sends: 'senden',
    send: 'Senden',
    newLine: 'neue Zeile',
    replying: 'Antwort an',
    cancelReply: 'Nicht antworten',
    editing: 'Nachricht bearbeiten',
    editLabel: 'Nachricht bearbeiten',
    remove: (name: string) => `${name} entfernen`,
    onlyImages: names => `Hier gehen nur Bilder, also nicht ${list(names)}. Stattdessen einen Link senden.`,
    notAPicture: name => `${name} lässt sich nicht als Bild öffnen.`,
    tooLarge: (name, bytes, limit) =>
      `${name} hat ${size(bytes)}. Hier sind höchstens ${size(limit)} erlaubt. Verkleinern oder einen Link senden.`,
    tooLong: (length: number, limit: number) =>
      `${number(length - limit)} Zeichen zu viel. In eine Nachricht passen ${number(limit)}.`,
    asFile: 'Als Datei anhängen',
    textFile: 'nachricht.txt',
    drop: (channel: string) => `Loslassen fügt es ${channel} hinzu`,
    draftSaved: 'Entwurf auf diesem Gerät gespeichert',
    people: (channel: string) => `Personen in ${channel}`,
    everyone: (count: number) => `benachrichtigt ${counted(count, 'Person', 'Personen')}`,
    attached: 'Angehängte Dateien',
    folders: names => `Ordner lassen sich nicht senden: ${list(names)}. Die Dateien oder ein Archiv senden.`,
    size,
    sentOf: (sent, total) => `${size(sent)} von ${size(total)}`,
    uploadWaits: 'Wartet',
    uploading: (name: string) => `${name} wird hochgeladen`,
    cancelUpload: (name: string) => `Hochladen von ${name} abbrechen`,
  },

  typing: names => {
    if (names.length > 2) return 'Mehrere schreiben gerade'
    return names.length === 1 ? `${names[0]} schreibt gerade` : `${list(names)} schreiben gerade`
  },

  systemMessage: {
    welcome: (who: string, workspace: string) => `Willkommen bei ${workspace}, ${who}! Sag Hallo.`,
    joined: (who: string) => `${who} ist dazugekommen`,
    joinedMany: (names: string[], others: number) =>
      `${list(others > 0 ? [...names, counted(others, 'weitere Person', 'weitere')] : names)} sind dazugekommen`,
    showAll: 'Alle anzeigen',
    showFewer: 'Weniger anzeigen',
    names: list,
    added: (who: string, what: string) => `${who} hat ${what} hinzugefügt`,
    removed: (who: string, what: string) => `${who} hat ${what} entfernt`,
    plain: (who: string, act: string) => `${who} ${ACTS[act] ?? act}`,
    renamed: (who: string, what: string) => `${who} hat den Kanal in „${what}“ umbenannt`,
    topic: (who: string, what: string) => `${who} hat das Thema gesetzt: ${what}`,
    call: (minutes: number) => `Anruf, ${number(minutes)} Min.`,
    missed: (who: string) => `Verpasster Anruf von ${who}.`,
    unanswered: () => 'Niemand hat deinen Anruf angenommen.',
  },
  startCall: {
    voice: 'Sprachanruf beginnen',
    video: 'Videoanruf beginnen',
    share: 'Bildschirm teilen',
    notLoaded: 'Anrufe konnten nicht geladen werden. Seite neu laden und noch einmal versuchen.',
    goingOn: (names: string[]) =>
      names.length === 1 ? `${names[0]} ist hier im Anruf.` : `${list(names)} sind im Anruf.`,
  },
}
