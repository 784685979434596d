import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { log } from '#shared/runtime/log.ts'
import type { FileStore, StoredFile } from '#shared/stores/files.ts'
import { BackupFault, FILES, type Part } from './layout.ts'
import { paced, type Share } from './pace.ts'
import { copyIn, linesOf, type PlacedBackup, readManifest, stored } from './parts.ts'
import type { Place } from './place.ts'
import type { Key } from './sealing.ts'

/** The uploaded files of all backups of a place: each is copied once, since a name never changes its bytes. */

export const POOL_LIST = 'pool.jsonl.zst'
export const NAME_LIST = 'names.jsonl.zst'

/** A line of the name list. */
export interface NamedFile {
  name: string
  size: number
}

const AT_ONCE = 4
const BUCKETS = 256

/** The path of a file in a place, and the label under which it is sealed. */
export function poolPathOf(name: string, key?: Key): string {
  const stored = key ? key.nameFor(name) : name
  const bucket = (key ? stored : createHash('sha256').update(name).digest('hex')).slice(0, 2)
  return `${FILES}/${bucket}/${stored}`
}

export const labelOf = (name: string): string => `file ${name}`

const bucketOf = (path: string) => path.slice(FILES.length + 1, FILES.length + 3)

export interface Wanted extends NamedFile {
  path: string
}

/** Files by bucket, each in order. Some hundred bytes per file are held in memory. */
export async function wantedFiles(
  files: AsyncIterable<StoredFile>,
  key?: Key,
): Promise<{ buckets: Map<string, Wanted[]>; bytes: number; count: number }> {
  const buckets = new Map<string, Wanted[]>()
  let [bytes, count] = [0, 0]
  for await (const { name, size } of files) {
    const path = poolPathOf(name, key)
    const bucket = buckets.get(bucketOf(path)) ?? []
    bucket.push({ name, size, path })
    buckets.set(bucketOf(path), bucket)
    bytes += size
    count++
  }
  for (const bucket of buckets.values()) bucket.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { buckets, bytes, count }
}

/** Bucket after bucket, in the order of every list. */
const bucketNames = Array.from({ length: BUCKETS }, (_, i) => i.toString(16).padStart(2, '0'))

export interface Pooled {
  file: Wanted
  /** Undefined: the file was removed before it could be copied. */
  part: Part | undefined
  /** No earlier backup lists it. */
  isNew: boolean
}

/** Copies into the place what it lacks, and yields the files of a bucket at a time. */
export async function* copyIntoPool(
  files: FileStore,
  place: Place,
  buckets: Map<string, Wanted[]>,
  {
    key,
    known,
    signal,
    share,
  }: {
    key?: Key | undefined
    known: PoolReader
    signal?: AbortSignal | undefined
    share?: Share | undefined
  },
): AsyncGenerator<Pooled[]> {
  const limit = pLimit(share === undefined ? AT_ONCE : 1)
  for (const bucket of bucketNames) {
    const before = await known.bucket(bucket)
    const wanted = buckets.get(bucket)
    if (!wanted) continue
    signal?.throwIfAborted()
    yield await Promise.all(
      wanted.map(file =>
        limit(async (): Promise<Pooled> => {
          const known = before.get(file.path)
          const part = known ?? (await pooled(files, place, file, key, signal, share))
          return { file, part, isNew: known === undefined }
        }),
      ),
    )
  }
}

async function pooled(
  files: FileStore,
  place: Place,
  { name, path }: Wanted,
  key: Key | undefined,
  signal: AbortSignal | undefined,
  share: Share | undefined,
): Promise<Part | undefined> {
  signal?.throwIfAborted()
  // Copied by a backup that was killed later.
  const there = await stored(place, path)
  if (there) return there
  const content = await files.read(name)
  return content && copyIn(paced(content, share), place, path, labelOf(name), key, signal)
}

/** Reads the list of a backup by buckets. Without a backup nothing is known. */
export class PoolReader {
  readonly #lines: AsyncIterator<string> | undefined
  #next: Part | undefined
  #isBegun = false

  constructor(backup: PlacedBackup | undefined) {
    this.#lines = backup && linesOf(backup, POOL_LIST)
  }

  /** The files of a bucket; asked for in ascending order. */
  async bucket(name: string): Promise<Map<string, Part>> {
    const found = new Map<string, Part>()
    if (!this.#isBegun) await this.#advance()
    this.#isBegun = true
    while (this.#next !== undefined && bucketOf(this.#next.path) <= name) {
      if (bucketOf(this.#next.path) === name) found.set(this.#next.path, this.#next)
      await this.#advance()
    }
    return found
  }

  async close() {
    await this.#lines?.return?.()
  }

  async #advance() {
    const line = await this.#lines?.next()
    this.#next = line === undefined || line.done ? undefined : (JSON.parse(line.value) as Part)
  }
}

/** Removes the files that no backup of a place names. Without certainty nothing is removed. */
export async function sweepPool(place: Place): Promise<number> {
  const backups = (await place.backups()).map(folder => ({ place, folder }))
  try {
    await Promise.all(backups.map(readManifest))
  } catch (err) {
    if (!(err instanceof BackupFault)) throw err
    log.warn({ err }, 'files of old backups stay: a backup is not readable')
    return 0
  }
  const readers = backups.map(backup => new PoolReader(backup))
  let removed = 0
  try {
    for (const bucket of bucketNames) {
      const kept = await Promise.all(readers.map(reader => reader.bucket(bucket)))
      for (const name of await place.namesIn(`${FILES}/${bucket}`)) {
        const path = `${FILES}/${bucket}/${name}`
        if (kept.some(paths => paths.has(path))) continue
        await place.remove(path)
        removed++
      }
    }
  } finally {
    await Promise.all(readers.map(reader => reader.close()))
  }
  return removed
}
