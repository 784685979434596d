import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import type { Seconds } from '#shared/domain/units.ts'
import { COMMIT, VERSION } from '#shared/runtime/version.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { isSamePlace } from './bucket-place.ts'
import { takeBackupLock, withConnection } from './connection.ts'
import {
  copyIntoPool,
  NAME_LIST,
  type NamedFile,
  POOL_LIST,
  PoolReader,
  type Wanted,
  wantedFiles,
} from './file-pool.ts'
import {
  BackupFault,
  type FilesEntry,
  folderNameOf,
  type Manifest,
  manifestTexts,
  type Part,
  type TableEntry,
} from './layout.ts'
import { paced, type Share } from './pace.ts'
import { type PlacedBackup, readManifest, writePart } from './parts.ts'
import type { Place } from './place.ts'
import { Key, newSalt } from './sealing.ts'
import {
  appliedMigrations,
  beginSnapshot,
  namedFiles,
  newestOf,
  type Rows,
  rowsOf,
  sequencesOf,
  tablesOf,
} from './snapshot.ts'

export interface BackupSource {
  databaseUrl: string
  filesUrl: string
  settingsFile: string
  /** By name; part of a backup only with a passphrase. */
  secrets: Record<string, string>
  /** For one that is made while people write: they wait for the processor otherwise. Default 1. */
  share?: Share
}

export interface BackupTarget {
  place: Place
  passphrase?: string | undefined
}

export interface MadeBackup {
  name: string
  /** Path or address. */
  path: string
  manifest: Manifest
  /** Bytes that this backup added to the place. */
  bytes: number
  seconds: Seconds
}

/** Another process writes a backup of the same database. */
export class BackupRuns extends Error {
  constructor() {
    super('Another backup of this database is being made.')
  }
}

/** Free space must exceed the estimated need by this factor. */
const RESERVE = 1.2
/** Names of missing files in the manifest; the others are counted. */
const MISSING_SHOWN = 20

/**
 * Makes a backup of one moment while people write. It counts when everything else of it is stored: a killed backup leaves
 * none, and the next one starts anew, with the uploads that were copied already.
 */
export async function makeBackup(
  source: BackupSource,
  { place, passphrase }: BackupTarget,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  const began = performance.now()
  if (isSamePlace(place.address, source.filesUrl))
    throw new Error('FILES_URL and BACKUP_DIR need different prefixes, best different buckets.')
  return withConnection(
    source.databaseUrl,
    async client => {
      if (!(await takeBackupLock(client))) throw new BackupRuns()
      await place.prepare()
      const last = await lastReadable(place)
      const key = await keyFor(passphrase, last?.manifest)
      const uploads = await wantedFiles((await openFileStore(source.filesUrl)).list(), key)
      await requireSpace(client, place, uploads.bytes, last?.manifest)

      await beginSnapshot(client)
      const made = await moment(client)
      const name = await freeName(place, made)
      const folder = await place.begin(name)
      try {
        const backup = new Writing(source, { place, folder }, key, signal)
        const manifest = await backup.write(client, made, last)
        // Fails if the connection was lost, and with it the lock: another process may be at work here.
        await client.query('select')
        const { text, checksum } = manifestTexts(manifest)
        await place.complete(
          name,
          text,
          checksum,
          manifest.parts.map(({ path }) => path),
        )
        const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0) + backup.copied
        const seconds = (performance.now() - began) / 1000
        return { name, path: place.addressOf(name), manifest, bytes, seconds }
      } catch (err) {
        await place.removeBackup(name).catch(() => {})
        throw err
      }
    },
    signal,
  )
}

async function moment(client: pg.Client): Promise<Seconds> {
  const { rows } = await client.query<{ now: Seconds }>(
    'select extract(epoch from clock_timestamp())::double precision as now',
  )
  return rows[0]!.now
}

/** The name of this second, or of a later one if a backup was made within the same. */
async function freeName(place: Place, made: Seconds): Promise<string> {
  const taken = new Set(await place.backups())
  for (let second = made; ; second++) {
    const name = folderNameOf(second)
    if (!taken.has(name)) return name
  }
}

/** The newest backup whose manifest is whole: its list tells the checksums of files that are there already. */
async function lastReadable(place: Place): Promise<(PlacedBackup & { manifest: Manifest }) | undefined> {
  for (const folder of await place.backups()) {
    try {
      return { place, folder, manifest: await readManifest({ place, folder }) }
    } catch (err) {
      if (!(err instanceof BackupFault)) throw err
    }
  }
}

/** With the salt of the last backup if the passphrase is the same, so that sealed files are shared too. */
async function keyFor(passphrase: string | undefined, last: Manifest | undefined): Promise<Key | undefined> {
  if (!passphrase) return undefined
  if (last?.encryption) {
    const key = await Key.of(passphrase, last.encryption)
    if (key.matches(last.encryption.check)) return key
  }
  return Key.of(passphrase, newSalt())
}

/** Rows need less compressed than in the database; after a first backup the estimate follows the last one. */
async function requireSpace(client: pg.Client, place: Place, fileBytes: number, last: Manifest | undefined) {
  const free = await place.freeSpace()
  if (free === undefined) return
  const { rows } = await client.query<{ bytes: number }>(
    'select pg_database_size(current_database())::double precision as bytes',
  )
  const rowBytes = last ? last.parts.reduce((sum, part) => sum + part.bytes, 0) : rows[0]!.bytes
  const need = (rowBytes + Math.max(0, fileBytes - (last?.files.bytes ?? 0))) * RESERVE
  if (free < need)
    throw new Error(
      `${place.address} has ${gib(free)} free, and the backup needs about ${gib(need)}: make room, or keep fewer backups.`,
    )
}

const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(2)} GiB`

/** The parts of one backup. */
class Writing {
  readonly #source: BackupSource
  readonly #backup: PlacedBackup
  readonly #key: Key | undefined
  readonly #signal: AbortSignal | undefined
  readonly #parts: Part[] = []
  /** Bytes of files that the place lacked or had without a list. */
  copied = 0

  constructor(
    source: BackupSource,
    backup: PlacedBackup,
    key: Key | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#source = source
    this.#backup = backup
    this.#key = key
    this.#signal = signal
  }

  async write(client: pg.Client, made: Seconds, last: PlacedBackup | undefined): Promise<Manifest> {
    const migrations = await appliedMigrations(client)
    const tables: TableEntry[] = []
    for (const table of await tablesOf(client)) {
      const part = `tables/${table.name}.copy.zst`
      tables.push({ ...table, ...(await this.#rows(part, rowsOf(client, table))), part })
    }
    const newest = { ...(await this.#rows('newest.copy.zst', newestOf(client))), part: 'newest.copy.zst' }
    const sequences = await sequencesOf(client)
    const named = await this.#namesIn(namedFiles(client))
    await client.query('commit')

    const files = await this.#files(named, last)
    await this.#add('settings.json.zst', [await settingsIn(this.#source.settingsFile)])
    const secrets = this.#key ? this.#source.secrets : undefined
    if (secrets) await this.#add('secrets.json.zst', [JSON.stringify(secrets)])
    return {
      format: 'bothy-backup',
      version: 1,
      made_ts: made,
      app_version: VERSION,
      commit: COMMIT,
      migrations,
      encryption: this.#key ? { ...this.#key.salt, check: this.#key.check } : null,
      tables,
      newest,
      sequences,
      files,
      secrets: secrets ? Object.keys(secrets) : null,
      parts: this.#parts,
    }
  }

  async #rows(path: string, { text, count }: Rows): Promise<{ rows: number; sha256: string }> {
    const { part, sha256 } = await writePart(
      this.#backup,
      path,
      paced(text, this.#source.share),
      this.#key,
      this.#signal,
    )
    this.#parts.push(part)
    return { rows: count(), sha256 }
  }

  async #add(path: string, source: Iterable<string>): Promise<void> {
    this.#parts.push((await writePart(this.#backup, path, source, this.#key, this.#signal)).part)
  }

  /** Not sealed: read to remove files that no backup names, also those sealed with another passphrase. */
  async #addOpen(path: string, source: AsyncIterable<string>): Promise<void> {
    this.#parts.push((await writePart(this.#backup, path, source, undefined, this.#signal)).part)
  }

  /** Generated names, which have nothing that COPY would escape. */
  async #namesIn({ text }: Rows): Promise<Set<string>> {
    const names = new Set<string>()
    for await (const line of createInterface({ input: text })) names.add(line)
    return names
  }

  /** The files are listed after the snapshot: they include every file that the rows name, unless one was removed since. */
  async #files(named: Set<string>, last: PlacedBackup | undefined): Promise<FilesEntry> {
    const files = await openFileStore(this.#source.filesUrl)
    const { buckets } = await wantedFiles(files.list(), this.#key)
    const known = new PoolReader(last)
    const entry: FilesEntry = { count: 0, bytes: 0, missing: { count: 0, names: [] } }
    const gone = new Set<string>()
    const pooled = copyIntoPool(files, this.#backup.place, buckets, {
      key: this.#key,
      known,
      signal: this.#signal,
      share: this.#source.share,
    })
    const lines = async function* (this: Writing) {
      for await (const bucket of pooled) {
        for (const { file, part, isNew } of bucket) {
          if (!part) {
            gone.add(file.path)
            continue
          }
          named.delete(file.name)
          entry.count++
          entry.bytes += file.size
          if (isNew) this.copied += part.bytes
          yield `${JSON.stringify(part)}\n`
        }
      }
    }
    try {
      await this.#addOpen(POOL_LIST, lines.call(this))
    } finally {
      await known.close()
    }
    await this.#add(NAME_LIST, nameLines(buckets, gone))
    entry.missing = { count: named.size, names: [...named].toSorted().slice(0, MISSING_SHOWN) }
    return entry
  }
}

/** In the order of the pool list. */
function* nameLines(buckets: Map<string, Wanted[]>, gone: Set<string>) {
  for (const bucket of [...buckets.keys()].toSorted())
    for (const { name, size, path } of buckets.get(bucket)!)
      if (!gone.has(path)) yield `${JSON.stringify({ name, size } satisfies NamedFile)}\n`
}

async function settingsIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw err
  }
}
