import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/backups.ts'
import { duration } from '../formats.ts'
import { german } from './formats.ts'

const { counted, date, number, time } = german

export const backups: typeof en.backups = {
  backups: {
    one: 'eine Sicherung',
    now: 'Jetzt sichern',
    asked: 'Die Sicherung beginnt in wenigen Sekunden.',
    duration,
    promise: (seconds: Seconds) => `Eine Wiederherstellung dauert etwa ${duration(seconds)}`,
    restored: (ts: Seconds, seconds: Seconds) =>
      `Eine Sicherung wurde in eine leere Datenbank zurückgespielt und verglichen: ${date(ts)}, ${time(ts)}. Das dauerte ${duration(seconds)}.`,
    notLast: 'Die neueste Sicherung ist nicht geprüft',
    hope: 'Noch keine Sicherung wurde durch Zurückspielen geprüft',
    hopeMore:
      'Nach jeder Sicherung spielt der Server sie in eine leere Datenbank zurück und vergleicht. Das ist noch nicht gelungen.',
    running: 'Gerade wird gesichert. Niemand muss darauf warten.',
    none: 'Es wird nicht gesichert',
    problems: {
      not_started: 'Der Prozess „janitor“, der sichert, ist noch nicht gestartet.',
      no_folder:
        'Setze BACKUP_DIR auf einen Ordner, am besten auf einer anderen Platte, oder auf einen Bucket, und starte den Prozess „janitor“ neu.',
      not_writable:
        'Dort kann nicht geschrieben werden. Prüfe Besitzer und Rechte des Ordners und die Platte, oder den Bucket und seine Schlüssel.',
    },
    last: 'Letzte Sicherungen',
    noneYet: 'Es gibt noch keine Sicherung.',
    madeAt: 'Erstellt',
    by: (name: string) => `Angefordert von ${name}`,
    size: 'Neue Daten',
    took: 'Dauer',
    restore: 'Zurückspielen',
    waits: 'Wartet',
    isMade: 'Wird erstellt …',
    proven: (seconds: Seconds) => `Geprüft in ${duration(seconds)}`,
    notProven: 'Erstellt, nicht geprüft',
    failed: 'Fehlgeschlagen',
    killed: 'Unterbrochen',
    all: (count: number) => `Alle ${number(count)} zeigen`,
    restoreIt: 'Zurückspielen …',
    restoreOf: (day: string, clock: string) => `Sicherung zurückspielen: ${day}, ${clock}`,
    restoreTitle: 'Diese Sicherung zurückspielen',
    restoreMore:
      'Führe dies auf dem Server aus. Nachrichten, Konten und Einstellungen werden die der Sicherung; was seither geschrieben wurde, bleibt in der bisherigen Datenbank, die unter anderem Namen erhalten wird. Alle melden sich neu an.',
    restoreFirst: 'Dies liest vorher jedes Byte und ändert nichts:',
    withNpm: 'Mit npm start',
    withCompose: 'Mit Docker Compose',
    places: 'Wohin gesichert wird',
    made: (count: number) => `${counted(count, 'Sicherung steht', 'Sicherungen stehen')} in dieser Liste.`,
    next: (ts: Seconds) => `Nächste: ${date(ts)}, ${time(ts)}.`,
    noNext: 'Nachts wird nicht gesichert: Die Einstellung „backup_hour“ ist -1.',
    compared: 'Beim letzten Zurückspielen verglichen',
    restoredEmpty: 'In eine leere Datenbank zurückgespielt',
    rows: 'Alle Zeilen sind gleich',
    rowsMore: (rows: number, tables: number) =>
      `${counted(rows, 'Zeile', 'Zeilen')} in ${counted(tables, 'Tabelle', 'Tabellen')}`,
    newest: 'Die neueste Nachricht jedes Kanals ist dieselbe',
    files: 'Jede Datei ist unversehrt',
    filesMore: (count: number) => counted(count, 'Datei', 'Dateien'),
    missing: (count: number) =>
      `${counted(count, 'Datei fehlte', 'Dateien fehlten')} auf dem Server, als gesichert wurde.`,
    newerSchema: (migrations: string) =>
      `Die Datenbank hat Migrationen einer neueren Version (${migrations}), wie nach einer zurückgenommenen Aktualisierung. Zum Zurückspielen braucht es diese Version.`,
    byHand: 'Dasselbe von Hand, auch ohne diese Seite:',
  },
}
