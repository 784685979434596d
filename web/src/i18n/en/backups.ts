import type { Seconds } from '#shared/domain/units.ts'
import { duration } from '../formats.ts'
import { english } from './formats.ts'

const { counted, date, number, time } = english

export const backups = {
  backups: {
    one: 'a backup',
    now: 'Back up now',
    asked: 'The backup begins within seconds.',
    duration,
    promise: (seconds: Seconds) => `A restore takes about ${duration(seconds)}`,
    restored: (ts: Seconds, seconds: Seconds) =>
      `A backup was restored into an empty database and compared: ${date(ts)}, ${time(ts)}. It took ${duration(seconds)}.`,
    notLast: 'The newest backup is not proven',
    hope: 'No backup is proven by a restore yet',
    hopeMore:
      'After each backup the server restores it into an empty database and compares. This did not succeed yet.',
    running: 'A backup is being made now. Nobody has to wait for it.',
    none: 'No backups are made',
    problems: {
      not_started: 'The process “janitor”, which makes them, has not started yet.',
      no_folder:
        'Set BACKUP_DIR to a folder, best on another disk, or to a bucket, and restart the process “janitor”.',
      not_writable:
        'Nothing can be written there. Look at the owner and rights of the folder and at the disk, or at the bucket and its keys.',
    },
    last: 'Last backups',
    noneYet: 'No backup was made yet.',
    madeAt: 'Made',
    by: (name: string) => `Asked for by ${name}`,
    size: 'New data',
    took: 'Took',
    restore: 'Restore',
    waits: 'Waits',
    isMade: 'Being made…',
    proven: (seconds: Seconds) => `Proven in ${duration(seconds)}`,
    notProven: 'Made, not proven',
    failed: 'Failed',
    killed: 'Interrupted',
    all: (count: number) => `Show all ${number(count)}`,
    restoreIt: 'Restore…',
    restoreOf: (day: string, clock: string) => `Restore the backup: ${day}, ${clock}`,
    restoreTitle: 'Restore this backup',
    restoreMore:
      'Run this on the server. Messages, accounts and settings become those of the backup; what people wrote since is in the former database, which is kept under another name. Everybody signs in again.',
    restoreFirst: 'This reads every byte first, and changes nothing:',
    withNpm: 'With npm start',
    withCompose: 'With Docker Compose',
    places: 'Where they go',
    made: (count: number) => `${counted(count, 'backup is', 'backups are')} in this list.`,
    next: (ts: Seconds) => `Next: ${date(ts)}, ${time(ts)}.`,
    noNext: 'None is made at night: the setting “backup_hour” is -1.',
    compared: 'What the last restore compared',
    restoredEmpty: 'Restored into an empty database',
    rows: 'All rows are equal',
    rowsMore: (rows: number, tables: number) =>
      `${counted(rows, 'row', 'rows')} in ${counted(tables, 'table', 'tables')}`,
    newest: 'The newest message of each channel is the same',
    files: 'Every file is whole',
    filesMore: (count: number) => counted(count, 'file', 'files'),
    missing: (count: number) =>
      `${counted(count, 'file was', 'files were')} missing on the server when the backup was made.`,
    newerSchema: (migrations: string) =>
      `The database has migrations of a newer release (${migrations}), as after an upgrade that went back. A restore needs that release.`,
    byHand: 'The same by hand, also without this page:',
  },
}
