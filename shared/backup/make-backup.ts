import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { isFileName } from '#shared/domain/file-names.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { COMMIT, VERSION } from '#shared/runtime/version.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { isSamePlace } from './bucket-place.ts'
import { takeBackupLock, withConnection } from './connection.ts'
import { copyIntoPool, type NamedFile, PoolReader, readToEnd, type Wanted, wantedFiles } from './file-pool.ts'
import {
  BackupFault,
  type BackupPart,
  type FilesEntry,
  folderNameOf,
  LISTED_SECRETS,
  type Manifest,
  NAME_LIST,
  NEWEST,
  POOL_LIST,
  SECRETS,
  SETTINGS,
  type SecretName,
  SIGNATURE,
  type TableEntry,
  tablePart,
} from './layout.ts'
import { MOST_MISSING_NAMES, manifestTexts } from './manifest.ts'
import { paced, type Share } from './pace.ts'
import { isSigned, type PlacedBackup, type ReadableBackup, readManifest, writePart } from './parts.ts'
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
  secrets: Partial<Record<SecretName, string>>
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
      const known = last && (await believed(last, key)) ? last : undefined
      const uploads = await wantedFiles((await openFileStore(source.filesUrl)).list(), key)
      await requireSpace(client, place, uploads.bytes, last?.manifest)

      await beginSnapshot(client)
      const made = await moment(client)
      const name = await freeName(place, made)
      const folder = await place.begin(name)
      try {
        const backup = new Writing(source, { place, folder }, key, signal)
        const manifest = await backup.write(client, made, known)
        const { text, checksum } = manifestTexts(manifest)
        const paths = manifest.parts.map(({ path }) => path)
        if (key) {
          const bytes = Readable.from([Buffer.from(`${key.sign(text)}\n`)])
          await place.write(`${folder}/${SIGNATURE}`, bytes, signal)
          paths.push(SIGNATURE)
        }
        // Fails if the connection was lost, and with it the lock: another process may be at work here.
        await client.query('select')
        await place.complete(name, text, checksum, paths)
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

type LastBackup = ReadableBackup & { text: string }

/** The newest backup whose manifest and list of files are whole. */
async function lastReadable(place: Place): Promise<LastBackup | undefined> {
  for (const folder of await place.backups()) {
    try {
      const backup = { place, folder, key: undefined, ...(await readManifest({ place, folder })) }
      await readToEnd(backup)
      return backup
    } catch (err) {
      if (!(err instanceof BackupFault)) throw err
    }
  }
}

/** Its list tells the checksums of files that are there already; with a passphrase, if the list is authentic. */
async function believed(last: LastBackup, key: Key | undefined): Promise<boolean> {
  return key === undefined || (last.manifest.version > 1 && (await isSigned(last, last.text, key)))
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
  readonly #backup: PlacedBackup & { id: string; key: Key | undefined }
  readonly #key: Key | undefined
  readonly #signal: AbortSignal | undefined
  readonly #parts: BackupPart[] = []
  /** Bytes of files that the place lacked or had without a list. */
  copied = 0

  constructor(
    source: BackupSource,
    backup: PlacedBackup,
    key: Key | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#source = source
    this.#backup = { ...backup, id: randomBytes(16).toString('hex'), key }
    this.#key = key
    this.#signal = signal
  }

  async write(client: pg.Client, made: Seconds, known: ReadableBackup | undefined): Promise<Manifest> {
    const migrations = await appliedMigrations(client)
    const tables: TableEntry[] = []
    for (const table of await tablesOf(client)) {
      const part = tablePart(table.name)
      tables.push({ ...table, ...(await this.#rows(part, rowsOf(client, table))), part })
    }
    const newest = { ...(await this.#rows(NEWEST, newestOf(client))), part: NEWEST }
    const sequences = await sequencesOf(client)
    const named = await this.#namesIn(namedFiles(client))
    await client.query('commit')

    const files = await this.#files(named, known)
    await this.#add(SETTINGS, [await settingsIn(this.#source.settingsFile)])
    const secrets = this.#key ? this.#source.secrets : undefined
    if (secrets) await this.#add(SECRETS, [JSON.stringify(secrets)])
    return {
      format: 'bothy-backup',
      version: 2,
      id: this.#backup.id,
      made_ts: made,
      app_version: VERSION,
      commit: COMMIT,
      migrations,
      encryption: this.#key ? { ...this.#key.salt, check: this.#key.check } : null,
      tables,
      newest,
      sequences,
      files,
      secrets: secrets ? LISTED_SECRETS.filter(name => secrets[name] !== undefined) : null,
      parts: this.#parts,
    }
  }

  async #rows(path: string, { text, count }: Rows): Promise<{ rows: number; sha256: string }> {
    const { part, sha256 } = await writePart(
      this.#backup,
      path,
      paced(text, this.#source.share),
      this.#signal,
    )
    this.#parts.push(part)
    return { rows: count(), sha256 }
  }

  async #add(path: string, source: Iterable<string> | AsyncIterable<string>): Promise<void> {
    this.#parts.push((await writePart(this.#backup, path, source, this.#signal)).part)
  }

  /** Generated names, which have nothing that COPY would escape. */
  async #namesIn({ text }: Rows): Promise<Set<string>> {
    const names = new Set<string>()
    for await (const line of createInterface({ input: text })) names.add(line)
    return names
  }

  /** The files are listed after the snapshot: they include every file that the rows name, unless one was removed since. */
  async #files(named: Set<string>, last: ReadableBackup | undefined): Promise<FilesEntry> {
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
      await this.#add(POOL_LIST, lines.call(this))
    } finally {
      await known.close()
    }
    await this.#add(NAME_LIST, nameLines(buckets, gone))
    const shown = [...named].filter(isFileName).toSorted().slice(0, MOST_MISSING_NAMES)
    entry.missing = { count: named.size, names: shown }
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
