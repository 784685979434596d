import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/finding.ts'
import { german } from './formats.ts'

const { counted, date, time } = german

export const finding: typeof en.finding = {
  dayMenu: {
    today: 'Heute',
    yesterday: 'Gestern',
    lastWeek: 'Vor einer Woche',
    beginning: 'Zum Anfang',
    pick: 'Datum wählen',
    messages: (count: number) =>
      count === 0 ? 'keine Nachrichten' : counted(count, 'Nachricht', 'Nachrichten'),
  },

  versions: {
    label: 'Fassungen dieser Nachricht',
    writtenAt: (ts: Seconds) => `${date(ts)}, ${time(ts)}`,
    present: 'Jetzt',
    added: 'Hinzugefügt:',
    removed: 'Entfernt:',
    onlyThis: 'Keine frühere Fassung ist erhalten.',
    notLoaded: 'Die Fassungen konnten nicht geladen werden.',
    hint: 'Der frühere Text bleibt unter „(bearbeitet)“ lesbar. Um etwas zu verbergen, die Nachricht löschen.',
  },

  commands: {
    label: 'Befehle',
    unknown: (name: string) => `Es gibt kein /${name}. Als Nachricht senden?`,
    send: 'Als Nachricht senden',
    backToText: 'Zurück zum Text',
    accept: 'übernehmen',
    asText: 'als Text schreiben',
    usage: (name: string, input: string) => `Schreibweise: /${name} ${input}`,
    notAllowed: (channel: string) => `Das ist in ${channel} nicht erlaubt.`,
    notDone: 'Das hat nicht geklappt. Noch einmal versuchen.',
    notInDms: 'Das geht in einer Direktnachricht nicht.',
    noCallHere: 'Anrufe gehen mit Leuten, in Direktnachrichten und privaten Kanälen.',
    noChannel: (name: string) => `Es gibt keinen Kanal namens ${name}.`,
    noPerson: (name: string) =>
      `${name} kann nicht hinzugefügt werden: Es gibt diese Person nicht, oder sie darf hier nicht lesen.`,
    noEmoji: (name: string) => `Es gibt kein Emoji namens ${name}.`,
    paused: (ts: Seconds) => `Benachrichtigungen auf diesem Gerät sind bis ${time(ts)} pausiert.`,
    reminding: (ts: Seconds, words: string) => `Eine Erinnerung kommt: ${date(ts)}, ${time(ts)}. ${words}`,
    all: {
      join: { input: '#kanal', about: 'Einem Kanal beitreten' },
      leave: { input: '', about: 'Dieses Gespräch verlassen' },
      topic: { input: 'text', about: 'Das Thema setzen' },
      rename: { input: 'name', about: 'Diesen Kanal umbenennen' },
      add: { input: '@person', about: 'Eine Person hinzufügen' },
      archive: { input: '', about: 'Diesen Kanal archivieren' },
      mute: { input: '1h', about: 'Dieses Gespräch stummschalten' },
      unmute: { input: '', about: 'Stummschaltung aufheben' },
      status: { input: ':emoji: text', about: 'Den eigenen Status setzen oder leeren' },
      away: { input: '', about: 'Als abwesend erscheinen' },
      pause: { input: '30m', about: 'Benachrichtigungen hier pausieren' },
      remind: { input: '20m', about: 'An eine Nachricht erinnern' },
      schedule: { input: '14:00 text', about: 'Einen Text später senden' },
      goto: { input: '2026-03-01', about: 'Zu einem Tag springen' },
      search: { input: 'worte', about: 'Nachrichten suchen' },
      call: { input: '', about: 'Die Leute hier anrufen' },
      shrug: { input: 'text', about: 'Ein Schulterzucken anhängen' },
      me: { input: 'text', about: 'Sagen, was man tut' },
      help: { input: '', about: 'Alle Befehle zeigen' },
    },
  },

  ownEmoji: {
    ours: 'Unsere',
    add: 'Emoji hinzufügen',
    back: 'Zurück zu den Emojis',
    name: 'Name',
    picture: 'Bild: PNG, GIF, WebP oder JPEG, höchstens 512 KB',
    submit: 'Hinzufügen',
    list: 'Emojis, die sich entfernen lassen',
    remove: (name: string) => `:${name}: entfernen`,
    badName: 'Ein Name hat 2 bis 32 Zeichen aus a bis z, 0 bis 9, _, + und -.',
    needsPicture: 'Ein Bild auswählen.',
    refused: {
      conflict: 'Der Name ist vergeben, oder es gibt zu viele Emojis.',
      invalid: 'Diese Datei ist kein brauchbares Bild.',
      too_large: 'Das Bild ist zu groß: höchstens 512 KB.',
      unavailable: 'Der Server kann gerade keine Bilder vorbereiten. Später noch einmal versuchen.',
      other: 'Das hat nicht geklappt. Noch einmal versuchen.',
    },
  },
}
