import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Seconds } from '#shared/domain/units.ts'
import type { KeySalt } from './sealing.ts'

/**
 * The form of backups (docs/adr/0012). A target folder has a folder per backup, named by its time, and `files/` with the
 * uploads of all of them:
 *
 *     2026-11-23T02-00-04Z/manifest.json           what the backup has; manifest.sha256 is its checksum
 *                          tables/<table>.copy.zst rows as text COPY
 *                          newest.copy.zst         newest message of each channel
 *                          pool.jsonl.zst          files of the backup: path, bytes and SHA-256
 *                          names.jsonl.zst         their names, in the same order
 *                          settings.json.zst, secrets.json.zst
 *     files/<2 hex>/<name>
 *
 * With a passphrase every part but the manifest and pool.jsonl.zst is sealed (sealing.ts), and the names in `files/` say
 * nothing.
 */
export interface Manifest {
  format: 'bothy-backup'
  version: 1
  made_ts: Seconds
  app_version: string
  commit: string
  /** Migrations of the schema. */
  migrations: string[]
  encryption: (KeySalt & { check: string }) | null
  tables: TableEntry[]
  newest: Content & { part: string }
  /** Last values of the sequences that were used. */
  sequences: Record<string, number>
  files: FilesEntry
  /** Null: without a passphrase secrets are not part of a backup. */
  secrets: string[] | null
  /** Everything stored in the folder but the manifest. */
  parts: Part[]
}

/** Rows in their order on the disk, and the SHA-256 of the text of all of them. */
export interface Content {
  rows: number
  sha256: string
}

export interface TableEntry extends Content {
  name: string
  columns: string[]
  part: string
}

export interface FilesEntry {
  count: number
  bytes: number
  /** Files that rows name, but that were gone when they should be copied: removed meanwhile, or lost earlier. */
  missing: { count: number; names: string[] }
}

/** A file as stored, after compression and encryption. */
export interface Part {
  path: string
  bytes: number
  sha256: string
}

export const MANIFEST = 'manifest.json'
const CHECKSUM = 'manifest.sha256'
/** Folder of the files of all backups of a target. */
export const FILES = 'files'
/** A folder with this ending is the remainder of a killed backup, or of one that is being removed. */
export const PARTIAL = '.partial'
const BACKUP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/** `2026-11-23T02-00-04Z`: sorts by time, and is a name on every file system. */
export const folderNameOf = (ts: Seconds): string =>
  `${new Date(ts * 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The fault of a backup, in a sentence that names the file. */
export class BackupFault extends Error {}

/** Names of the complete backups in a target folder, newest first. */
export async function backupsIn(target: string): Promise<string[]> {
  try {
    return (await readdir(target))
      .filter(name => BACKUP.test(name))
      .toSorted()
      .toReversed()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw err
  }
}

/** Removes the remainders of killed backups. */
export async function removePartial(target: string): Promise<void> {
  for (const name of await readdir(target)) {
    if (name.endsWith(PARTIAL)) await rm(join(target, name), { recursive: true, force: true })
  }
}

/** Removes a backup but not its files; no moment shows half of it as a whole one. */
export async function removeBackup(target: string, name: string): Promise<void> {
  const doomed = join(target, `${name}${PARTIAL}`)
  await rename(join(target, name), doomed)
  await rm(doomed, { recursive: true, force: true })
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeFile(join(folder, MANIFEST), text, { flush: true })
  await writeFile(join(folder, CHECKSUM), `${sha256Of(text)}  ${MANIFEST}\n`, { flush: true })
}

/** Reads the manifest of a backup and checks it against its checksum. */
export async function readManifest(folder: string): Promise<Manifest> {
  const [text, checksum] = await Promise.all([read(folder, MANIFEST), read(folder, CHECKSUM)])
  if (checksum !== `${sha256Of(text)}  ${MANIFEST}\n`)
    throw new BackupFault(`${MANIFEST} differs from its checksum in ${CHECKSUM}.`)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 'bothy-backup' || manifest.version !== 1)
    throw new BackupFault(`${MANIFEST} is of a form that this bothy does not know.`)
  return manifest
}

async function read(folder: string, name: string) {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    throw new BackupFault(`${join(folder, name)} is missing: this is not a complete backup.`)
  }
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Creates a folder whose entry survives a power cut. */
export async function makeFolder(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(join(path, '..'))
}

/** Makes the names in a folder as durable as the bytes behind them. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
