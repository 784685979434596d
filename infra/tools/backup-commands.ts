import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Hook, HookFailed, runHook } from '#shared/backup/hooks.ts'
import { BackupFault, SECRET_NAMES, type SecretName } from '#shared/backup/layout.ts'
import { makeBackup } from '#shared/backup/make-backup.ts'
import { openPlace } from '#shared/backup/open-place.ts'
import type { Place } from '#shared/backup/place.ts'
import { proveBackup } from '#shared/backup/prove-backup.ts'
import {
  listBackups,
  type OpenBackup,
  openBackup,
  secretsOf,
  settingsOf,
  verifyBackup,
} from '#shared/backup/read-backup.ts'
import { type Restored, restoreBackup } from '#shared/backup/restore-backup.ts'
import { backupFolderIn, ROOT } from '#shared/runtime/config.ts'
import { variableText } from '#shared/runtime/variables.ts'
import { type Command, type Given, listed } from './command.ts'
import { DATA, whileRunning } from './environment.ts'
import type { Outcome } from './outcome.ts'
import { openSessions } from './sessions.ts'
import { whenFree } from './when-free.ts'

/** Backups need the database and the files, not the whole stores: a new server has no schema yet. */

const backup: Command = {
  usage: 'backup [--to PLACE]',
  options: ['to'],
  run: async ({ options: { to } }) => {
    const place = placeOf(to)
    const source = {
      databaseUrl: databaseUrl(),
      filesUrl: filesUrl(),
      settingsFile: settingsFile(),
      secrets: secrets(),
    }
    const made = await whenFree(() => makeBackup(source, { place, passphrase: passphrase() }))
    const hook = await hookIn(place, 'after-backup', made.path)
    const { manifest } = made
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const { count, missing } = manifest.files
    const lines = [
      `${made.path}: ${rows} rows, ${count} files, ${mib(made.bytes)} new, ${made.seconds.toFixed(1)} s.`,
    ]
    if (missing.count > 0)
      lines.push(`${missing.count} files that messages name were not there: ${missing.names.join(', ')}`)
    if (hook === true) lines.push('hooks/after-backup is done.')
    lines.push(...advice(manifest.encryption !== null))
    const json = { path: made.path, rows, files: count, missing, bytes: made.bytes, seconds: made.seconds }
    return { text: lines.join('\n'), json, ...faultOf('backup', hook) }
  },
}

/**
 * True if there was one, or why it failed. Only BACKUP_DIR has hooks: a folder that somebody else made could bring programs
 * of its own.
 */
async function hookIn({ folder }: Place, hook: Hook, path: string): Promise<boolean | HookFailed> {
  try {
    return folder !== undefined && folder === placeOf(undefined).folder && (await runHook(folder, hook, path))
  } catch (err) {
    if (!(err instanceof HookFailed)) throw err
    return err
  }
}

const faultOf = (what: string, hook: boolean | HookFailed) =>
  typeof hook === 'boolean' ? {} : { fault: `The ${what} is complete, but ${hook.message}` }

const advice = (isSealed: boolean) =>
  isSealed
    ? ['Keep the passphrase elsewhere: without it nobody can open this backup.']
    : [
        'Not encrypted, and without the keys (SESSION_SECRET, SECRETS_KEY): keep those elsewhere, or set BACKUP_PASSPHRASE.',
      ]

const backups: Command = {
  usage: 'backups [--in PLACE]',
  options: ['in'],
  run: async ({ options }) => {
    const place = placeOf(options['in'])
    const items = await listBackups(place)
    const rows = items.map(item =>
      'fault' in item
        ? [item.path, item.fault]
        : [
            item.path,
            `${item.rows} rows`,
            `${item.files} files`,
            mib(item.bytes),
            item.encrypted ? 'encrypted' : 'open',
          ],
    )
    return {
      ...listed(rows, null, `There are no backups in ${place.address}.`),
      json: { folder: place.address, items },
    }
  },
}

/** Options of the commands that read a backup. */
const TRUST = ['unencrypted', 'unsigned']
const TRUST_USAGE = TRUST.map(name => `[--${name}]`).join(' ')

const opened = (path: string, options: Given['options']) =>
  openBackup(path, {
    passphrase: passphrase(),
    unencrypted: options['unencrypted'] !== undefined,
    unsigned: options['unsigned'] !== undefined,
  })

/** Adds to the fault of a backup what to do next. */
async function orElse<T>(next: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    if (!(err instanceof BackupFault)) throw err
    throw new BackupFault(`${err.message} ${next}`, { cause: err })
  }
}

const DO_NOT_RELY = 'Do not rely on this backup: make another one by `npm run admin -- backup`.'
const TAKE_ANOTHER = 'Nothing was changed. `npm run admin -- backups` lists the others.'

const verify: Command = {
  usage: `verify <backup> [--drill] ${TRUST_USAGE}`,
  flags: ['drill', ...TRUST],
  run: ({ words: [path = ''], options }) =>
    orElse(DO_NOT_RELY, async () => {
      const open = await opened(path, options)
      if (options['drill'] !== undefined) return drilled(open)
      const report = await verifyBackup(open)
      const lines = [
        `Every byte is as it was written: ${report.parts} parts, ${report.files} files, ${mib(report.bytes)}.`,
        open.isAuthentic
          ? 'The backup was written with this passphrase.'
          : 'Who wrote it is not known: only a backup with a passphrase tells, to whoever has that.',
      ]
      return { text: lines.join('\n'), json: { ok: true, authentic: open.isAuthentic, ...report } }
    }),
}

async function drilled(open: OpenBackup): Promise<Outcome> {
  const proof = await whenFree(() => proveBackup(adminUrl() ?? databaseUrl(), open))
  const lines = [
    `Restored into a database for drills in ${proof.seconds_to_restore.toFixed(1)} s: ${proof.rows} rows in ${proof.tables} tables are equal, ${proof.files} files are whole.`,
  ]
  if (proof.newer.length > 0)
    lines.push(
      `This bothy lacks migrations of the backup (${proof.newer.join(', ')}): restore it with the release that has them.`,
    )
  return { text: lines.join('\n'), json: { ok: true, authentic: open.isAuthentic, ...proof } }
}

const restore: Command = {
  usage: `restore <backup> [--into DATABASE-URL] [--replace] [--files PLACE] [--settings-to FOLDER] [--without-migrations] ${TRUST_USAGE}`,
  options: ['into', 'files', 'settings-to'],
  flags: ['replace', 'without-migrations', ...TRUST],
  run: async ({ words: [path = ''], options }) => {
    const into = options['into']
    const sessions = into === undefined ? await openSessions() : undefined
    try {
      const { open, done } = await orElse(TAKE_ANOTHER, async () => {
        const open = await opened(path, options)
        const done = await restoreBackup(open, {
          databaseUrl: into ?? adminUrl() ?? databaseUrl(),
          filesUrl: filesAt(options['files']),
          replace: options['replace'] !== undefined,
          withoutMigrations: options['without-migrations'] !== undefined,
          whileAway: async () => sessions?.end(),
        })
        return { open, done }
      })
      const to = options['settings-to']
      const written = to ? await writeSettings(open, resolve(to)) : []
      // Sessions remain if there was no former database, or if a person signed in at this moment.
      await sessions?.end()
      const { place, folder } = open
      const hook = await hookIn(place, 'after-restore', place.addressOf(folder))
      return {
        text: told(open, done, written, sessions?.ended),
        json: { ...done, written, sessions_ended: sessions?.ended ?? null },
        ...faultOf('restore', hook),
      }
    } finally {
      sessions?.close()
    }
  },
}

function told(
  { manifest }: OpenBackup,
  done: Restored,
  written: string[],
  ended: number | undefined,
): string {
  const { count, names } = manifest.files.missing
  const lines = [
    `${done.database} is the backup of ${new Date(manifest.made_ts * 1000).toISOString()} now, after ${done.seconds.toFixed(1)} s.`,
    `Compared with the manifest: ${done.rows} rows in ${done.tables} tables, and the newest message of each channel.`,
    `Files: ${done.files.copied} copied, ${done.files.there} were there.`,
  ]
  if (done.migrated.length > 0) lines.push(`Migrated: ${done.migrated.join(', ')}.`)
  if (done.kept !== null)
    lines.push(
      `The former database is kept as ${done.kept}; it could not be used for ${done.outage_seconds.toFixed(1)} s. Drop it when you do not need it.`,
    )
  if (count > 0) lines.push(`${count} files were missing when the backup was made: ${names.join(', ')}`)
  if (written.length > 0) lines.push(`Written: ${written.join(', ')}.`)
  lines.push(...ofKeys(manifest, written))
  if (ended === undefined) lines.push('Sessions in Redis were left alone.')
  else lines.push(`${ended} sessions ended: people sign in again.`)
  return lines.join('\n')
}

/** Where the keys are that the secrets of hooks and commands need. */
function ofKeys({ secrets }: OpenBackup['manifest'], written: string[]): string[] {
  const names = SECRET_NAMES.filter(name => written.some(path => basename(path) === name))
  if (names.length > 0)
    return [
      `Keys: put ${names.join(' and ')} where SESSION_SECRET and SECRETS_KEY are taken from, and start the processes anew.`,
    ]
  if (secrets !== null)
    return [
      'The keys of its server (SESSION_SECRET, SECRETS_KEY) are in the backup: --settings-to writes them.',
    ]
  return [
    'The backup has no keys: hooks and commands work with SESSION_SECRET and SECRETS_KEY of its server, and need new secrets without. The doctor counts those that do not open.',
  ]
}

/** Writes the settings and secrets of a backup where the operator may take them from. */
async function writeSettings(backup: OpenBackup, to: string): Promise<string[]> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const written: string[] = []
  const write = async (name: string, text: string) => {
    await writeFile(join(to, name), text, { mode: 0o600 })
    written.push(join(to, name))
  }
  const settings = await settingsOf(backup)
  if (settings !== '') await write('settings.json', settings)
  for (const [name, value] of await secretsOf(backup)) await write(name, `${value}\n`)
  return written
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

const passphrase = () => variableText('BACKUP_PASSPHRASE')

/** A relative path is one of the folder in which the command is typed. */
function placeOf(given: string | undefined): Place {
  if (given === undefined) return openPlace(process.env.BACKUP_DIR || backupFolderIn(DATA))
  return openPlace(given.startsWith('s3:') ? given : resolve(given))
}

function databaseUrl(): string {
  const url =
    variableText('DATABASE_DIRECT_URL') ?? variableText('DATABASE_URL') ?? whileRunning('database-url')
  if (!url) throw new Error('bothy does not run here: start it first, or say DATABASE_URL.')
  return url
}

/** The address of a role that may create databases. */
const adminUrl = () => variableText('DATABASE_ADMIN_URL') ?? whileRunning('database-admin-url')

const filesUrl = () => process.env.FILES_URL || pathToFileURL(resolve(DATA, 'files')).href

function filesAt(given: string | undefined): string {
  if (given === undefined) return filesUrl()
  return given.startsWith('s3:') ? given : pathToFileURL(resolve(given)).href
}

const settingsFile = () => resolve(ROOT, process.env.SETTINGS_FILE || 'settings.json')

/** The keys only: the addresses of the stores belong to a server, not to the office. */
function secrets(): Partial<Record<SecretName, string>> {
  const file = resolve(ROOT, process.env.SESSION_SECRET_FILE || join(DATA, 'session-secret'))
  const secret = process.env.SESSION_SECRET || (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
  const key = variableText('SECRETS_KEY')
  return {
    ...(secret !== '' && { 'session-secret': secret }),
    ...(key !== undefined && { 'secrets-key': key }),
  }
}

export const backupCommands: Record<string, Command> = { backup, backups, verify, restore }
