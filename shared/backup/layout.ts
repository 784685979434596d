import type { Seconds } from '#shared/domain/units.ts'
import type { KeySalt } from './sealing.ts'

/**
 * The form of backups (docs/adr/0012). A place, which is a folder or a bucket, has a folder per backup, named by its time, and
 * `files/` with the uploads of all of them:
 *
 *     2026-11-23T02-00-04Z/manifest.json           what the backup has; manifest.sha256 is its checksum
 *                          manifest.hmac           with a passphrase: authenticates the manifest
 *                          tables/<table>.copy.zst rows as text COPY
 *                          newest.copy.zst         newest message of each channel
 *                          pool.jsonl.zst          files of the backup: path, bytes and SHA-256
 *                          names.jsonl.zst         their names, in the same order
 *                          settings.json.zst, secrets.json.zst
 *     files/<2 hex>/<name>
 *
 * With a passphrase every part but the manifest and pool.jsonl.zst is sealed (sealing.ts), and the names in `files/` say
 * nothing. The manifest has the SHA-256 of each part, and pool.jsonl.zst that of each file.
 */
export interface Manifest {
  format: 'bothy-backup'
  /** Version 1, made before 26 November 2026, has no `id`, no `content_bytes` and no manifest.hmac. */
  version: 1 | 2
  /** Random; sealed parts open under the id of their backup only. */
  id?: string | undefined
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
  secrets: SecretName[] | null
  /** Everything stored in the folder but the manifest. */
  parts: BackupPart[]
}

/** Rows in their order on the disk, and the SHA-256 of the text of all of them. */
export interface Content {
  rows: number
  sha256: string
}

export interface TableEntry extends Content {
  name: string
  columns: string[]
  /** In the order of the columns; backups made before 24 November 2026 have none. */
  types?: string[] | undefined
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

export interface BackupPart extends Part {
  /** Before compression. */
  content_bytes?: number | undefined
}

export const MANIFEST = 'manifest.json'
export const CHECKSUM = 'manifest.sha256'
export const SIGNATURE = 'manifest.hmac'
export const NEWEST = 'newest.copy.zst'
export const POOL_LIST = 'pool.jsonl.zst'
export const NAME_LIST = 'names.jsonl.zst'
export const SETTINGS = 'settings.json.zst'
export const SECRETS = 'secrets.json.zst'
export const tablePart = (table: string): string => `tables/${table}.copy.zst`

/** Names of secrets; a restore writes each into a file of this name. */
export const SECRET_NAMES = ['session-secret', 'secrets-key'] as const
/** Names in a manifest: release 0.2.0 refuses others there, and ignores other secrets in the part itself. */
export const LISTED_SECRETS: readonly SecretName[] = ['session-secret']
export type SecretName = (typeof SECRET_NAMES)[number]

/** Folder of the files of all backups of a place. */
export const FILES = 'files'
/** Name of a complete backup. */
export const BACKUP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/** `2026-11-23T02-00-04Z`: sorts by time, and is a name on every file system. */
export const folderNameOf = (ts: Seconds): string =>
  `${new Date(ts * 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The fault of a backup, in a sentence that names the file and has no content of it. */
export class BackupFault extends Error {}

/** There is no such file. */
export class Missing extends BackupFault {}
