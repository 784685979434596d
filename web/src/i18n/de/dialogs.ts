import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/dialogs.ts'
import { german } from './formats.ts'

const { counted, number, date, time } = german

const DAY: Seconds = 86_400

/** The time of an end within a day, else its date: a day ends at its midnight. */
const shortTime = (ts: Seconds) => (ts - Date.now() / 1_000 < DAY ? time(ts) : date(ts - 1))

export const dialogs: typeof en.dialogs = {
  newDm: {
    title: 'Neue Nachricht',
    field: 'An',
    placeholder: 'Namen eingeben',
    nobody: 'So heißt niemand.',
    there: 'Schon dabei.',
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

  forward: {
    action: 'Weiterleiten',
    title: 'Diese Nachricht weiterleiten',
    to: 'An',
    find: 'Kanal oder Person',
    none: 'So heißt nichts, worin du schreiben kannst.',
    change: name => `An ${name}. Anderes Ziel wählen`,
    comment: 'Kommentar',
    optional: '(optional)',
    send: 'Weiterleiten',
    sending: 'Wird weitergeleitet …',
    wider: (from, to) =>
      `Diese Nachricht ist aus ${from}. In ${to} können sie auch andere lesen, die es bisher nicht konnten.`,
    anyway: 'Trotzdem weiterleiten',
    chooseOther: 'Anderes Ziel wählen',
    done: name => `Weitergeleitet an ${name}`,
    show: 'Zeigen',
    gone: 'Diese Nachricht gibt es nicht mehr.',
    refused: name => `In ${name} kannst du nicht schreiben.`,
    tooLong: 'Mit dem Kommentar ist die Nachricht zu lang. Bitte kürzen.',
    noRoom: 'Für die Datei ist gerade kein Platz.',
    tooMany: 'Das war zu viel auf einmal. Gleich noch einmal versuchen.',
    failed: 'Der Server hat nicht geantwortet. Noch einmal versuchen: Die Nachricht kommt nur einmal an.',
    from: 'Weitergeleitet',
    source: name => `Weitergeleitete Nachricht von ${name}`,
    open: place => `Zeigen, in ${place}`,
  },

  deleting: {
    title: 'Diese Nachricht löschen?',
    more: 'Wer sie gesehen hat, sieht dann, dass sie gelöscht ist.',
    remove: 'Entfernen …',
    removeTitle: (name: string) => `Diese Nachricht von ${name} entfernen?`,
    removeMore: 'Alle sehen, von wem sie entfernt wurde. Das lässt sich nicht zurücknehmen.',
    reason: 'Grund (für das Protokoll)',
    confirmRemoval: 'Entfernen',
  },

  emojiPicker: {
    search: 'Emoji suchen',
    frequent: 'Oft benutzt',
    nothing: 'So heißt kein Emoji.',
    results: 'Gefunden',
    categories: 'Gruppen',
    groups: [
      'Gesichter',
      'Personen',
      'Tiere und Natur',
      'Essen und Trinken',
      'Reisen und Orte',
      'Aktivitäten',
      'Gegenstände',
      'Symbole',
      'Flaggen',
    ],
    tone: 'Hautton',
    tones: ['Ohne', 'Hell', 'Mittelhell', 'Mittel', 'Mitteldunkel', 'Dunkel'],
  },

  viewer: {
    label: 'Bildansicht',
    of: (at: number, all: number) => `${at} von ${all}`,
    copy: 'Bild kopieren',
    copied: 'Bild kopiert',
    notCopied: 'Das Bild konnte nicht kopiert werden. Stattdessen herunterladen.',
    download: 'Herunterladen',
    next: 'Nächstes Bild',
    previous: 'Voriges Bild',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    wholeImage: 'Ganzes Bild zeigen',
    zoomed: (percent: number) => `Auf ${number(percent)} Prozent vergrößert`,
    strip: 'Bilder dieses Kanals',
    inStrip: (at, all, name) => `Bild ${number(at)} von ${number(all)}, von ${name}`,
    showInChannel: 'Im Kanal zeigen',
    failed: name =>
      `Das Bild von ${name} konnte nicht geladen werden. Verbindung prüfen, dann noch einmal versuchen.`,
  },

  ownStatus: {
    title: 'Dein Status',
    set: 'Status setzen',
    clear: 'Status löschen',
    emoji: 'Emoji wählen',
    text: 'Wie ist dein Status?',
    placeholder: 'Wie ist dein Status?',
    empty: 'Feld leeren',
    until: 'Bis',
    ends: { half: '30 Minuten', hour: '1 Stunde', today: 'Heute', date: 'Datum', never: 'Ohne Ende' },
    endsAt: (ts: Seconds) => `bis ${shortTime(ts)}`,
    kept: shortTime,
    often: 'Vorschläge',
    presets: { meeting: 'In einer Besprechung', lunch: 'Mittagspause', sick: 'Krank', away: 'Abwesend' },
    quiet: 'Auch Benachrichtigungen pausieren',
    pause: 'Benachrichtigungen pausieren',
    pauseFor: (minutes: number) =>
      minutes < 60 ? `${minutes} Minuten` : minutes === 60 ? '1 Stunde' : '2 Stunden',
    live: 'Live: Änderungen kommen sofort',
    save: 'Status setzen',
    needed: 'Bitte ein Emoji wählen oder ein paar Wörter schreiben.',
    dateNeeded: 'Bitte ein Datum in der Zukunft wählen.',
    notSaved: 'Der Status konnte nicht geändert werden. Bitte noch einmal versuchen.',
  },

  profileCard: {
    deactivated: '(deaktiviert)',
    roles: { owner: 'Inhaber', admin: 'Admin', member: 'Mitglied', guest: 'Gast' },
    localTime: (time: string, zone: string) => `Ortszeit: ${time} (${zone})`,
    there: time => `dort ${time}`,
    find: 'Personen finden',
  },

  unknownAddress: {
    title: 'An dieser Adresse ist nichts',
    more: 'Der Link ist vielleicht unvollständig oder gehört zu einem anderen Server.',
    goTo: (channel: string) => `Zu #${channel}`,
    start: 'Zur Startseite',
  },
}
