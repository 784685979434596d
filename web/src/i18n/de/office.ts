import type { NumberBounds } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/office.ts'
import { german } from './formats.ts'

const { counted, date, number, size, time } = german

const amount = ({ messages, files, bytes, entries }: en.Deleted) =>
  [
    messages > 0 && counted(messages, 'Nachricht', 'Nachrichten'),
    files > 0 && `${counted(files, 'Datei', 'Dateien')} (${size(bytes)})`,
    entries > 0 && counted(entries, 'Eintrag', 'Einträge'),
  ]
    .filter(Boolean)
    .join(', ')

const settings: Record<string, en.SettingText> = {
  workspace_name: { name: 'Name', help: 'Steht oben, im Titel des Fensters und auf der Anmeldeseite.' },
  accent: {
    name: 'Akzentfarbe',
    help: 'Ersetzt das Petrol. Wird so angepasst, dass sie in Hell und Dunkel lesbar bleibt.',
  },
  signup_mode: { name: 'Wer ein Konto bekommt' },
  who_invites: {
    name: 'Wer einlädt',
    help: 'Eine Einladung nennt, wer sie gemacht hat, und endet, wenn diese Person geht.',
  },
  who_creates_channels: { name: 'Wer öffentliche Kanäle anlegt' },
  who_mentions_everyone: { name: 'Wer @everyone schreibt' },
  who_adds_emoji: { name: 'Wer Emojis hinzufügt' },
  who_makes_tokens: {
    name: 'Wer Token anlegt',
    help: 'Mit einem Token handelt ein Programm für seine Person.',
  },
  who_makes_bots: { name: 'Wer Bots anlegt', help: 'Ein Bot ist das Konto eines Programms.' },
  who_makes_hooks: {
    name: 'Wer Hooks anlegt',
    help: 'Über Hooks schreiben Programme in Kanäle und erfahren, was geschieht.',
  },
  mcp_enabled: {
    name: 'Assistenten über MCP',
    help: 'Assistenten lesen und schreiben mit einem Token einer Person oder eines Bots. Was sie lesen, erfährt, wer sie betreibt.',
  },
  mention_guard: { name: 'Rückfrage vor @everyone ab', help: 'Zeigt zuerst, wie viele es sind.' },
  read_receipts: { name: 'Lesebestätigungen', help: 'Alle können es für sich abschalten.' },
  link_previews: { name: 'Link-Karten', help: 'Karten mit Titel und Bild unter Links.' },
  max_message_chars: { name: 'Längste Nachricht' },
  max_upload_size_mb: {
    name: 'Größte Datei',
    help: 'Bis 2048 und mehr: große Dateien werden in Teilen gesendet.',
  },
  file_types: { name: 'Dateien, die man senden darf' },
  user_upload_mb_per_day: {
    name: 'Dateien einer Person am Tag',
    help: 'Gelöschte Dateien zählen nicht; 0 ist keine Grenze.',
  },
  max_avatar_size_mb: { name: 'Größtes Bild einer Person' },
  max_request_size_mb: { name: 'Größte Anfrage', help: 'Ein Proxy vor diesem Server muss so viel erlauben.' },
  max_login_attempts: {
    name: 'Falsche Passwörter nacheinander',
    help: 'Danach ist das Konto gesperrt; 0 sperrt nie.',
  },
  lockout_duration_minutes: { name: 'Gesperrt für' },
  session_idle_minutes: { name: 'Sitzungen enden ungenutzt nach', help: 'Von 5 Minuten bis zu einem Jahr.' },
  keep_edits: {
    name: 'Frühere Fassungen bearbeiteter Nachrichten',
    help: 'Wer mitliest, sieht sie unter „(bearbeitet)“. Ausgeschaltet werden sie nachts gelöscht.',
  },
  retention_days: { name: 'Nachrichten', help: 'Ältere werden endgültig gelöscht; 0 behält alle.' },
  retention_max_gb: {
    name: 'Dateien',
    help: 'Darüber werden die ältesten endgültig gelöscht; 0 behält alle.',
  },
  audit_retention_days: { name: 'Protokoll', help: 'Mindestens 30 Tage; 0 behält es für immer.' },
  channels: { name: 'Erste öffentliche Kanäle' },
  rate_limit_enabled: { name: 'Obergrenzen für Anfragen' },
  rate_limits: { name: 'Werte der Obergrenzen', help: 'Je Anzahl und Sekunden.' },
  max_event_streams_per_user: { name: 'Offene Tabs einer Person' },
  min_free_disk_percent: { name: 'Freier Platz', help: 'Darunter werden keine Dateien angenommen.' },
  wire_budget_mb_s: { name: 'Verkehr einer Liste', help: 'Darüber wird sie seltener gesendet.' },
  stun_port: { name: 'Port für Anrufe', help: 'UDP.' },
  preview_allow: { name: 'Interne Seiten mit Link-Karten' },
  hooks_allow: { name: 'Interne Adressen von Hooks und Befehlen' },
  first_account_is_owner: { name: 'Das erste Konto besitzt den Server' },
  locked_settings: { name: 'Gesperrte Einstellungen', help: 'Sie lassen sich hier nicht ändern.' },
  log_addresses: { name: 'Adressen der Geräte im Protokoll' },
  confirm_minutes: { name: 'Ein Passwort wird erneut verlangt nach' },
}

const units: Record<string, string> = {
  mention_guard: 'Personen',
  max_message_chars: 'Zeichen',
  max_upload_size_mb: 'MiB',
  user_upload_mb_per_day: 'MiB',
  max_avatar_size_mb: 'MiB',
  max_request_size_mb: 'MiB',
  lockout_duration_minutes: 'Minuten',
  session_idle_minutes: 'Minuten',
  retention_days: 'Tage',
  retention_max_gb: 'GiB',
  audit_retention_days: 'Tage',
  min_free_disk_percent: '%',
  wire_budget_mb_s: 'MB/s',
  confirm_minutes: 'Minuten',
}

const choices: Record<string, string> = {
  all: 'Alle',
  images: 'Nur Bilder',
  admins: 'Admins',
  members: 'Mitglieder',
  open: 'Alle',
  invite: 'Mit Link',
  approval: 'Nach Freigabe',
  closed: 'Niemand',
}

export const office: typeof en.office = {
  workspaceSettings: {
    groups: {
      office: 'Arbeitsbereich',
      people: 'Beitritt',
      talking: 'Nachrichten',
      files: 'Dateien',
      access: 'Anmeldung',
      keeping: 'Aufbewahrung',
      more: 'Weitere',
      file: 'Nur in settings.json',
    },
    settings,
    units,
    choices,
    fileMore: 'Diese werden in der Datei auf dem Server geändert und gelten sofort.',
    saved: (ts: Seconds) => `Gespeichert, ${time(ts)}`,
    show: 'Anzeigen',
    number,
    on: 'An',
    off: 'Aus',
    none: 'Keine',
    teal: 'Petrol',
    byDefault: 'Voreinstellung',
    fromFile: 'Aus settings.json',
    fromHere: (value: string) => `Hier gewählt. Voreinstellung: ${value}.`,
    locked: 'Steht in settings.json und lässt sich hier nicht ändern.',
    reset: 'Zurücksetzen',
    resetName: (name: string) => `Zurücksetzen: ${name}`,
    needsNumber: ({ least, most, isAbove, orZero, isWhole }: NumberBounds) =>
      `${isWhole ? 'Eine ganze Zahl' : 'Eine Zahl'} ${isAbove ? 'über' : 'von'} ${number(least)}${isAbove ? ', höchstens' : ' bis'} ${number(most)}${orZero ? ', oder 0' : ''}.`,
    needsColor: 'Eine Farbe hat sechs Stellen von 0 bis f, zum Beispiel #c15c68.',
    needsText: 'Ein Name hat eine Zeile mit 1 bis 80 Zeichen.',
    outOfRange: 'Dieser Wert ist hier nicht möglich.',
    refused: 'Das lässt sich nur in settings.json ändern.',
    notSaved: 'Das konnte nicht gespeichert werden. Bitte noch einmal versuchen.',
    notLoaded: 'Die Einstellungen konnten nicht geladen werden.',
    logo: 'Logo',
    logoMore: 'PNG, JPEG oder WebP bis 1 MB. Steht oben und auf der Anmeldeseite.',
    chooseFile: 'Datei wählen',
    remove: 'Entfernen',
    removeLogo: 'Logo entfernen',
    wrongLogo: 'Diese Datei ist kein Bild (PNG, JPEG, WebP) bis 1 MB.',
    pickColor: 'Farbe wählen',
    sample: 'Beispiel',
    deleteOlder: {
      retention_days: (value: number) =>
        `Nachrichten, die älter sind als ${counted(value, 'Tag', 'Tage')}, werden für alle gelöscht.`,
      retention_max_gb: (value: number) =>
        `Die ältesten Dateien werden für alle gelöscht, bis ${number(value)} GiB übrig sind.`,
      audit_retention_days: (value: number) =>
        `Einträge des Protokolls, die älter sind als ${counted(value, 'Tag', 'Tage')}, werden gelöscht.`,
    },
    deleteTitle: 'Älteres löschen?',
    cannotUndo: 'Das beginnt bald und lässt sich nicht zurücknehmen.',
    counting: 'Es wird gezählt, was das löscht …',
    notCounted: 'Es konnte nicht gezählt werden, was das löscht.',
    amount,
    deletesNow: (some: en.Deleted) => {
      const words = amount(some)
      return words === '' ? 'Jetzt würde nichts gelöscht.' : `Jetzt würde gelöscht: ${words}.`
    },
    showList: 'Liste zeigen',
    privateOnes: 'Private Kanäle und Gespräche',
    deleteRun: 'Speichern und löschen',
  },

  adminChannels: {
    count: (open: number, archived: number) => `${number(open)} offen, ${number(archived)} archiviert`,
    find: 'Kanal finden',
    filters: { open: 'Offen', private: 'Privat', quiet: 'Seit 90 Tagen still', archived: 'Archiviert' },
    sorts: {
      newest: 'Letzte Nachricht zuerst',
      members: 'Die meisten Personen zuerst',
      messages: 'Die meisten Nachrichten zuerst',
      name: 'Nach Namen',
    },
    channel: 'Kanal',
    who: 'Wer',
    everyone: 'Alle',
    managersWrite: 'Alle lesen, Verwalter schreiben',
    archived: 'Archiviert',
    people: 'Personen',
    last: 'Letzte Nachricht',
    start: 'Start',
    startHint: 'Alle treten diesem Kanal automatisch bei',
    details: 'Kanal bearbeiten',
    open: 'Im Chat öffnen',
    makeDefault: 'Alle treten ihm bei',
    noDefault: 'Niemand tritt ihm automatisch bei',
    archive: 'Archivieren',
    restore: 'Wiederherstellen',
    none: 'So heißt kein Kanal.',
    messages: 'Nachrichten',
    private: 'Privat',
    empty: 'Kein solcher Kanal.',
    privateMore: 'Private Kanäle zeigen hier Namen und Größe, nie, was in ihnen steht.',
    never: 'Nie',
  },

  statistics: {
    people: 'Personen',
    guests: (count: number) => counted(count, 'Gast', 'Gäste'),
    bots: (count: number) => counted(count, 'Bot', 'Bots'),
    active: 'Aktive Personen',
    activeIn: { day: 'Heute', week: 'In 7 Tagen', month: 'In 30 Tagen' },
    messages: 'Nachrichten',
    messagesMore: 'Seit dem Anfang gesendet',
    files: 'Dateien',
    filesMore: 'Auf der Platte der Dateiablage',
    database: 'Datenbank',
    databaseMore: 'Nachrichten, Konten und Suche',
    perDay: 'Nachrichten am Tag',
    chart: (total: number, most: number, day: string) =>
      `${counted(total, 'Nachricht', 'Nachrichten')} in 30 Tagen. Die meisten: ${number(most)}, ${day}.`,
    quiet: 'Keine Nachrichten in 30 Tagen.',
    asTable: 'Als Tabelle zeigen',
    day: 'Tag',
    top: 'Kanäle mit den meisten Nachrichten in 30 Tagen',
    utc: 'Tage in UTC. Jede Minute aktualisiert.',
    count: (count: number) => number(count),
    size,
  },

  ready: {
    done: (count: number, of: number) =>
      `${number(count)} von ${number(of)} erledigt. Du kannst trotzdem schon schreiben.`,
    all: 'Bereit. Nichts zu tun.',
    again: 'Erneut prüfen',
    checking: 'Wird geprüft …',
    states: { ok: 'Erledigt:', look: 'Bitte ansehen:', unknown: 'Nicht geprüft:' },
    copy: 'Zeile kopieren',
    copied: 'Zeile kopiert',
    secure: {
      title: 'Sichere Verbindung',
      ok: (host: string) => `${host} ist verschlüsselt.`,
      local:
        'Diese Seite ist auf dem Server selbst offen. Andere öffnen diese Adresse und brauchen https für Anrufe:',
      authority: (trust: string) =>
        `Verschlüsselt durch eine eigene Stelle. Alle brauchen ${trust} und diesen Fingerabdruck:`,
      look: 'Browser erlauben Anrufe und Benachrichtigungen nur mit https. In .env, mit Namen oder Adresse dieses Servers:',
    },
    live: {
      title: 'Nachrichten kommen sofort',
      ok: 'Die Live-Verbindung funktioniert.',
      look: 'Nachrichten kommen alle paar Sekunden. Vielleicht hält ein Proxy Ereignisse zurück; für nginx:',
    },
    calls: {
      title: 'Anrufe in diesem Netz',
      ok: 'Der Server antwortet über UDP. Aus diesem Browser geprüft.',
      look: 'Der Server hat über UDP nicht geantwortet. Diesen Port in seiner Firewall öffnen:',
      unknown: 'Dieser Browser kann es nicht erkennen. Ein Anruf zeigt es.',
    },
    signUp: {
      title: 'Wer beitreten kann',
      ok: 'Fremde können kein Konto anlegen.',
      local: 'Wer diese Adresse erreicht, kann ein Konto anlegen. Sie gehört zum eigenen Netz.',
      look: (host: string) => `Wer ${host} erreicht, kann ein Konto anlegen.`,
      action: 'Wählen',
    },
    owners: {
      title: 'Ein zweiter Admin',
      ok: (count: number) =>
        count === 1
          ? 'Eine Person verwaltet diesen Arbeitsbereich.'
          : `${number(count)} Personen verwalten diesen Arbeitsbereich.`,
      look: 'Nur eine Person kann Konten freigeben und Passwörter zurücksetzen. Mach noch jemanden zum Inhaber oder Admin.',
      unknown: 'Die Liste der Personen konnte nicht geladen werden.',
      action: 'Personen',
    },
    people: {
      title: 'Leute einladen',
      ok: (count: number) => (count === 1 ? 'Eine Person ist hier.' : `${number(count)} Personen sind hier.`),
      invited: 'Ein Einladungslink ist bereit.',
      look: 'Noch ist niemand sonst hier.',
      action: 'Leute einladen',
    },
    look: {
      title: 'Name und Logo',
      ok: (name: string) => `Dieser Arbeitsbereich heißt ${name}.`,
      look: 'Der Arbeitsbereich heißt noch wie das Produkt.',
      action: 'Einrichten',
    },
    backup: {
      title: 'Sicherungen',
      ok: (ts: Seconds) => `Eine Sicherung wurde zurückgespielt und verglichen: ${date(ts)}, ${time(ts)}.`,
      first: (ts: Seconds) => `Die erste Sicherung wird erstellt und geprüft: ${date(ts)}, ${time(ts)}.`,
      look: 'In den letzten 48 Stunden wurde keine Sicherung zurückgespielt und verglichen.',
      admin: 'Inhaber sehen hier, ob gesichert und geprüft wird.',
      unknown: 'Der Server sagte nicht, ob gesichert wird.',
      action: 'Sicherungen',
    },
    linkEnds: (ts: Seconds | null) =>
      ts === null ? 'Läuft nicht ab.' : `Gilt bis ${date(ts)}, ${time(ts)}.`,
  },
}
