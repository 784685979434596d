import type { Seconds } from '#shared/domain/units.ts'
import { NAME_LIST, type NamedFile, POOL_LIST } from './file-pool.ts'
import { BackupFault, type Manifest, type Part } from './layout.ts'
import { backupAt } from './open-place.ts'
import { checkPart, linesOf, type PlacedBackup, readManifest } from './parts.ts'
import type { Place } from './place.ts'
import { Key } from './sealing.ts'

/** A backup opened for reading. */
export interface OpenBackup extends PlacedBackup {
  manifest: Manifest
  /** Undefined for a backup without encryption, or for checks that need no passphrase. */
  key: Key | undefined
}

/** Opens a backup. Without `passphrase` a sealed one can be verified but not loaded. */
export async function openBackup(address: string, passphrase?: string): Promise<OpenBackup> {
  const { place, name: folder } = backupAt(address)
  const manifest = await readManifest({ place, folder })
  const { encryption } = manifest
  const key = encryption && passphrase ? await Key.of(passphrase, encryption) : undefined
  if (encryption && key && !key.matches(encryption.check))
    throw new Error('The passphrase is not that of this backup.')
  return { place, folder, manifest, key }
}

/** Throws unless what is sealed can be opened. */
export function requireKey({ manifest, key }: OpenBackup): void {
  if (manifest.encryption && !key)
    throw new Error(
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
  const { place, folder, manifest } = backup
  let bytes = 0
  for (const part of manifest.parts) {
    await checkPart(place, `${folder}/`, part, signal)
    bytes += part.bytes
  }
  let files = 0
  for await (const line of linesOf(backup, POOL_LIST)) {
    const part = JSON.parse(line) as Part
    await checkPart(place, '', part, signal)
    bytes += part.bytes
    files++
  }
  if (files !== manifest.files.count)
    throw new BackupFault(`${POOL_LIST} has ${files} files instead of ${manifest.files.count}.`)
  return { parts: manifest.parts.length + 1, files, bytes }
}

/** The files of a backup: where each is stored, and its name. */
export async function* filesOf(backup: OpenBackup): AsyncGenerator<NamedFile & { part: Part }> {
  const names = linesOf(backup, NAME_LIST, backup.key)
  try {
    for await (const line of linesOf(backup, POOL_LIST)) {
      const { value, done } = await names.next()
      if (done) throw new BackupFault(`${NAME_LIST} has fewer lines than ${POOL_LIST}.`)
      yield { ...(JSON.parse(value) as NamedFile), part: JSON.parse(line) as Part }
    }
  } finally {
    await names.return(undefined)
  }
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
        return { name, path, ...summary(await readManifest({ place, folder: name })) }
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
