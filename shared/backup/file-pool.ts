import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import * as v from 'valibot'
import { isFileName } from '#shared/domain/file-names.ts'
import { log } from '#shared/runtime/log.ts'
import type { FileStore, StoredFile } from '#shared/stores/files.ts'
import { BackupFault, FILES, NAME_LIST, type Part, POOL_LIST } from './layout.ts'
import { paced, type Share } from './pace.ts'
import { copyIn, lineFault, linesOf, type ReadableBackup, readManifest, stored } from './parts.ts'
import type { Place } from './place.ts'
import type { Key } from './sealing.ts'

/** The uploaded files of all backups of a place: each is copied once, since a name never changes its bytes. */

const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const NAMED_FILE = v.strictObject({ name: v.pipe(v.string(), v.check(isFileName)), size })
const POOLED_FILE = v.strictObject({
  path: v.string(),
  bytes: size,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})

/** A line of the name list. */
export type NamedFile = v.InferOutput<typeof NAMED_FILE>

const AT_ONCE = 4
const BUCKETS = 256

/** The path of a file in a place. */
export function poolPathOf(name: string, key?: Key): string {
  const stored = key ? key.nameFor(name) : name
  return `${FILES}/${bucketFor(stored)}/${stored}`
}

const SEALED_NAME = /^[0-9a-f]{64}$/

/** By the name in the place. */
const bucketFor = (stored: string) =>
  (SEALED_NAME.test(stored) ? stored : createHash('sha256').update(stored).digest('hex')).slice(0, 2)

/** True for the paths that `poolPathOf` makes. */
function isPoolPath(path: string, isSealed: boolean): boolean {
  const stored = path.slice(FILES.length + 4)
  return (
    path === `${FILES}/${bucketFor(stored)}/${stored}` &&
    (isSealed ? SEALED_NAME.test(stored) : isFileName(stored))
  )
}

/** The label under which a file is sealed. */
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
    const stored = buckets.get(bucket)
    if (!stored) continue
    signal?.throwIfAborted()
    yield await Promise.all(
      stored.map(file =>
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

/** The files of a backup as they lie in its place, in ascending order. Throws at a line that bothy does not write. */
export async function* pooledFiles(backup: ReadableBackup): AsyncGenerator<Part> {
  const { encryption, files } = backup.manifest
  let [count, last] = [0, '']
  for await (const line of linesOf(backup, POOL_LIST)) {
    const part = lineOf(POOLED_FILE, line)
    if (!part || part.path <= last || !isPoolPath(part.path, encryption !== null)) throw lineFault(POOL_LIST)
    if (++count > files.count) throw new BackupFault(`${POOL_LIST} has more than ${files.count} files.`)
    last = part.path
    yield part
  }
  if (count !== files.count)
    throw new BackupFault(`${POOL_LIST} has ${count} files instead of ${files.count}.`)
}

/** The files of a backup: where each is stored, and its name. Needs the key. */
export async function* filesOf(backup: ReadableBackup): AsyncGenerator<NamedFile & { part: Part }> {
  const names = linesOf(backup, NAME_LIST)
  try {
    for await (const part of pooledFiles(backup)) {
      const { value, done } = await names.next()
      if (done) throw new BackupFault(`${NAME_LIST} has fewer lines than ${POOL_LIST}.`)
      const named = lineOf(NAMED_FILE, value)
      if (!named || poolPathOf(named.name, backup.key) !== part.path) throw lineFault(NAME_LIST)
      yield { ...named, part }
    }
    if (!(await names.next()).done) throw new BackupFault(`${NAME_LIST} has more lines than ${POOL_LIST}.`)
  } finally {
    await names.return(undefined)
  }
}

function lineOf<const T extends typeof NAMED_FILE | typeof POOLED_FILE>(
  form: T,
  line: string,
): v.InferOutput<T> | undefined {
  try {
    const read = v.safeParse(form, JSON.parse(line))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** Reads the list of a backup by buckets. Without a backup nothing is known. */
export class PoolReader {
  readonly #files: AsyncGenerator<Part> | undefined
  #next: Part | undefined
  #isBegun = false

  constructor(backup: ReadableBackup | undefined) {
    this.#files = backup && pooledFiles(backup)
  }

  /** The files of a bucket; asked for in ascending order. */
  async bucket(name: string): Promise<Map<string, Part>> {
    const parts = new Map<string, Part>()
    if (!this.#isBegun) await this.#advance()
    this.#isBegun = true
    while (this.#next !== undefined && bucketOf(this.#next.path) <= name) {
      if (bucketOf(this.#next.path) === name) parts.set(this.#next.path, this.#next)
      await this.#advance()
    }
    return parts
  }

  async close() {
    await this.#files?.return(undefined)
  }

  async #advance() {
    const next = await this.#files?.next()
    this.#next = next === undefined || next.done ? undefined : next.value
  }
}

/** Names in `files/` that bothy gave, also to a file that a killed backup wrote half. */
const isPoolName = (name: string) =>
  [name, name.replace(/\.new$/, '')].some(one => SEALED_NAME.test(one) || isFileName(one))

/**
 * Removes the files that no backup of a place names. Files with foreign names stay. Without certainty nothing is removed:
 * every manifest and list must be readable.
 */
export async function sweepPool(place: Place): Promise<number> {
  const folders = await place.backups()
  let readers: PoolReader[] = []
  let removed = 0
  try {
    const backups = await Promise.all(
      folders.map(async folder => {
        const { manifest } = await readManifest({ place, folder })
        return { place, folder, manifest, key: undefined }
      }),
    )
    for (const backup of backups) await readToEnd(backup)
    readers = backups.map(backup => new PoolReader(backup))
    for (const bucket of bucketNames) {
      const kept = await Promise.all(readers.map(reader => reader.bucket(bucket)))
      for (const name of await place.namesIn(`${FILES}/${bucket}`)) {
        const path = `${FILES}/${bucket}/${name}`
        if (!isPoolName(name) || kept.some(paths => paths.has(path))) continue
        await place.remove(path)
        removed++
      }
    }
  } catch (err) {
    if (!(err instanceof BackupFault)) throw err
    log.warn({ err }, 'files of old backups stay: a backup is not readable')
  } finally {
    await Promise.all(readers.map(reader => reader.close()))
  }
  return removed
}

/** Throws unless the list of files is whole. */
export async function readToEnd(backup: ReadableBackup): Promise<void> {
  for await (const _ of pooledFiles(backup));
}
