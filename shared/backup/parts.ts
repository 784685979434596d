import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Transform, Writable } from 'node:stream'
import { buffer, text as textFrom } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupFault, CHECKSUM, MANIFEST, type Manifest, manifestIn, type Part } from './layout.ts'
import type { Place } from './place.ts'
import type { Key } from './sealing.ts'

/** The files of a backup as streams, so that memory does not grow with them. */

/** Fast, and a quarter of the text: the disk is the limit, not the processor. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Counts and hashes what passes. */
export class Tally extends Transform {
  bytes = 0
  readonly #hash: Hash = createHash('sha256')

  override _transform(chunk: Buffer, _: BufferEncoding, done: (err: null, chunk: Buffer) => void) {
    this.bytes += chunk.length
    this.#hash.update(chunk)
    done(null, chunk)
  }

  /** Ends the hash. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}

const sealed = (key: Key | undefined, label: string) => key?.seal(label) ?? new PassThrough()
const opened = (key: Key | undefined, label: string) => key?.open(label) ?? new PassThrough()

export interface Stored {
  part: Part
  /** SHA-256 of the content before compression. */
  sha256: string
}

/** A backup as it lies in its place, complete or not. */
export interface PlacedBackup {
  place: Place
  /** Path of its parts within the place. */
  folder: string
}

/** Writes a part of a backup: compressed, sealed and hashed. */
export async function writePart(
  { place, folder }: PlacedBackup,
  path: string,
  source: Readable | Iterable<string> | AsyncIterable<string | Buffer>,
  key?: Key,
  signal?: AbortSignal,
): Promise<Stored> {
  const [content, stored] = [new Tally(), new Tally()]
  const store = (bytes: AsyncIterable<Buffer>) => place.write(`${folder}/${path}`, bytes, signal)
  await pipeline(source, content, createZstdCompress(ZSTD), sealed(key, path), stored, store, { signal })
  return { part: { path, bytes: stored.bytes, sha256: stored.sha256() }, sha256: content.sha256() }
}

/** The content of a part into `sink`. */
export async function readPart(
  { place, folder }: PlacedBackup,
  path: string,
  sink: NodeJS.WritableStream,
  key?: Key,
  signal?: AbortSignal,
): Promise<void> {
  await namingFaults(path, async () =>
    pipeline(
      await place.read(`${folder}/${path}`),
      opened(key, path),
      createZstdDecompress(),
      sink,
      signal ? { signal } : {},
    ),
  )
}

/** The lines of a part. Its faults name it. */
export async function* linesOf(backup: PlacedBackup, path: string, key?: Key): AsyncGenerator<string> {
  const text = new PassThrough()
  let fault: unknown
  const done = readPart(backup, path, text, key).catch(err => {
    fault = err
    text.end()
  })
  try {
    yield* createInterface({ input: text, crlfDelay: Infinity })
  } finally {
    text.destroy()
    await done
  }
  if (fault !== undefined) throw fault
}

/** The whole content of a small part. */
export async function textOf(backup: PlacedBackup, path: string, key?: Key): Promise<string> {
  const content = new PassThrough()
  const [found] = await Promise.all([textFrom(content), readPart(backup, path, content, key)])
  return found
}

/** Reads the manifest of a backup and checks it against its checksum. */
export async function readManifest({ place, folder }: PlacedBackup): Promise<Manifest> {
  const read = (name: string) => textIn(place, `${folder}/${name}`)
  const [manifest, checksum] = await Promise.all([read(MANIFEST), read(CHECKSUM)])
  return manifestIn(manifest, checksum)
}

async function textIn(place: Place, path: string): Promise<string> {
  try {
    return (await buffer(await place.read(path))).toString('utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT' && !(err instanceof BackupFault)) throw err
    throw new BackupFault(`${place.addressOf(path)} is missing: this is not a complete backup.`)
  }
}

/** Throws unless the stored file is as the manifest says. `folder`: the path of the backup, or none for files of all. */
export async function checkPart(
  place: Place,
  folder: string,
  part: Part,
  signal?: AbortSignal,
): Promise<void> {
  const tally = new Tally()
  await namingFaults(part.path, async () =>
    pipeline(await place.read(`${folder}${part.path}`), tally, nowhere(), signal ? { signal } : {}),
  )
  if (tally.bytes !== part.bytes)
    throw new BackupFault(`${part.path} has ${tally.bytes} bytes instead of ${part.bytes}.`)
  if (tally.sha256() !== part.sha256)
    throw new BackupFault(`${part.path} was changed: its SHA-256 is not that of the backup.`)
}

/** Copies an uploaded file into the files of the backups. */
export async function copyIn(
  from: Readable,
  place: Place,
  path: string,
  label: string,
  key?: Key,
  signal?: AbortSignal,
): Promise<Part> {
  const stored = new Tally()
  const store = (bytes: AsyncIterable<Buffer>) => place.write(path, bytes, signal)
  await pipeline(from, sealed(key, label), stored, store, { signal })
  return { path, bytes: stored.bytes, sha256: stored.sha256() }
}

/** Copies a file out of the files of the backups; throws unless it is as the backup says. */
export async function copyOut(place: Place, part: Part, to: string, label: string, key?: Key): Promise<void> {
  const stored = new Tally()
  const file = createWriteStream(to, { flush: true, mode: 0o600 })
  await namingFaults(part.path, async () =>
    pipeline(await place.read(part.path), stored, opened(key, label), file),
  )
  if (stored.sha256() !== part.sha256)
    throw new BackupFault(`${part.path} was changed: its SHA-256 is not that of the backup.`)
}

/** Bytes and SHA-256 of a stored file; undefined if it is not there. */
export async function stored(place: Place, path: string): Promise<Part | undefined> {
  if (!(await place.has(path))) return undefined
  const tally = new Tally()
  await pipeline(await place.read(path), tally, nowhere())
  return { path, bytes: tally.bytes, sha256: tally.sha256() }
}

const nowhere = () =>
  new Writable({
    write(_, __, done) {
      done()
    },
  })

/** Faults of the bytes name the file; those of the sink stay as they are. */
async function namingFaults<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    const { code = '', message, name } = err as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new BackupFault(`${path} is missing.`)
    const isBroken =
      /^(ZSTD|Z_|ERR_ZSTD|ERR_OSSL|EIO)/.test(code) || /authenticate|not sealed|too short|zstd/i.test(message)
    if (isBroken && name !== 'AbortError') throw new BackupFault(`${path} cannot be read: ${message}.`)
    throw err
  }
}
