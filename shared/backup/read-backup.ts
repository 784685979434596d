import type { Seconds } from '#shared/domain/units.ts'
import { filesOf, pooledFiles, readToEnd } from './file-pool.ts'
import { BackupFault, MANIFEST, type Manifest, SECRET_NAMES, SECRETS, SETTINGS } from './layout.ts'
import { backupAt } from './open-place.ts'
import { checkPart, hashOfContent, isSigned, type ReadableBackup, readManifest, textOf } from './parts.ts'
import type { Place } from './place.ts'
import { Key } from './sealing.ts'

/** A backup opened for reading. */
export interface OpenBackup extends ReadableBackup {
  /** Its manifest was written with the passphrase. Without, whoever can write into the place could have made it. */
  isAuthentic: boolean
}

/** How far a backup is believed. */
export interface Trust {
  passphrase?: string | undefined
  /** Also one that is not encrypted, although there is a passphrase. */
  unencrypted?: boolean
  /** Also an encrypted one of version 1, whose manifest is not authenticated. */
  unsigned?: boolean
}

/**
 * Opens a backup. Without a passphrase a sealed one can be verified but not loaded. With one, throws unless the backup was
 * written with it, or `trust` says otherwise.
 */
export async function openBackup(address: string, trust: Trust = {}): Promise<OpenBackup> {
  const { place, name: folder } = backupAt(address)
  const placed = { place, folder }
  const { manifest, text } = await readManifest(placed)
  const { encryption, version } = manifest
  const { passphrase, unencrypted = false, unsigned = false } = trust
  if (!encryption || !passphrase) {
    if (passphrase && !unencrypted)
      throw new BackupFault(
        'The backup is not encrypted, although there is a passphrase: whoever can write into its place could have made it. If you know where it comes from, say --unencrypted.',
      )
    return { ...placed, manifest, key: undefined, isAuthentic: false }
  }
  const key = await Key.of(passphrase, encryption)
  if (!key.matches(encryption.check)) throw new BackupFault('The passphrase is not that of this backup.')
  const isAuthentic = version > 1 && (await isSigned(placed, text, key))
  if (version > 1 && !isAuthentic)
    throw new BackupFault(
      `${MANIFEST} was not written with this passphrase: it was changed, or put together from others.`,
    )
  if (!isAuthentic && !unsigned)
    throw new BackupFault(
      'The backup was made before 26 November 2026 and its manifest is not authenticated. If you know where it comes from, say --unsigned.',
    )
  return { ...placed, manifest, key, isAuthentic }
}

/** Throws unless what is sealed can be opened. */
export function requireKey({ manifest, key }: OpenBackup): void {
  if (manifest.encryption && !key)
    throw new BackupFault(
      'The backup is encrypted: say its passphrase in BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.',
    )
}

export interface Verified {
  parts: number
  files: number
  bytes: number
}

/** Reads every byte of a backup. Throws at the first file that is not as it was written, and names it. */
export async function verifyBackup(backup: OpenBackup, signal?: AbortSignal): Promise<Verified> {
  await checkParts(backup, signal)
  let [files, bytes] = [0, backup.manifest.parts.reduce((sum, part) => sum + part.bytes, 0)]
  for await (const part of pooledFiles(backup)) {
    await checkPart(backup.place, '', part, signal)
    bytes += part.bytes
    files++
  }
  return { parts: backup.manifest.parts.length + 1, files, bytes }
}

/**
 * Throws unless all but the uploaded files is as it was written: the bytes of each part and, unless the backup is sealed
 * and there is no key, what they unpack to, and every line of the lists. A restore does so before it makes anything.
 */
export async function checkParts(backup: OpenBackup, signal?: AbortSignal): Promise<void> {
  const { place, folder, manifest, key } = backup
  if (manifest.encryption && !key) {
    for (const part of manifest.parts) await checkPart(place, `${folder}/`, part, signal)
    await readToEnd(backup)
    return
  }
  const rows = new Map([...manifest.tables, manifest.newest].map(({ part, sha256 }) => [part, sha256]))
  for (const [path, sha256] of rows)
    if ((await hashOfContent(backup, path, signal)) !== sha256)
      throw new BackupFault(`${path} has other rows than ${MANIFEST} says.`)
  for await (const _ of filesOf(backup)) signal?.throwIfAborted()
  await settingsOf(backup)
  await secretsOf(backup)
}

/** Characters of the settings and secrets. */
const MOST_TEXT = 2 ** 20

/** The file of settings; empty if there was none. */
export const settingsOf = (backup: OpenBackup): Promise<string> => textOf(backup, SETTINGS, MOST_TEXT)

/** Secrets by name. */
export async function secretsOf(backup: OpenBackup): Promise<[string, string][]> {
  const { secrets } = backup.manifest
  if (!secrets) return []
  const text = await textOf(backup, SECRETS, MOST_TEXT)
  const fault = new BackupFault(`${SECRETS} is not of the form that bothy writes.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw fault
  }
  return SECRET_NAMES.flatMap((name): [string, string][] => {
    const value = (json as Record<string, unknown> | null)?.[name]
    if (value === undefined && !secrets.includes(name)) return []
    if (typeof value !== 'string') throw fault
    return [[name, value]]
  })
}

export interface ListedBackup {
  name: string
  path: string
  made_ts: Seconds
  app_version: string
  rows: number
  files: number
  /** Without the files, which backups share. */
  bytes: number
  encrypted: boolean
}

/** The backups of a place, newest first; the fault of one that cannot be read. */
export async function listBackups(
  place: Place,
): Promise<(ListedBackup | { name: string; path: string; fault: string })[]> {
  return Promise.all(
    (await place.backups()).map(async name => {
      const path = place.addressOf(name)
      try {
        return { name, path, ...summary((await readManifest({ place, folder: name })).manifest) }
      } catch (err) {
        if (!(err instanceof BackupFault)) throw err
        return { name, path, fault: err.message }
      }
    }),
  )
}

const summary = ({ made_ts, app_version, tables, files, parts, encryption }: Manifest) => ({
  made_ts,
  app_version,
  rows: tables.reduce((sum, table) => sum + table.rows, 0),
  files: files.count,
  bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
  encrypted: encryption !== null,
})
