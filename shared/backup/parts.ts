import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupFault, makeFolder, type Part, syncFolder } from './layout.ts'
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

/** Writes a part of a backup: compressed, sealed, hashed and synced to disk. */
export async function writePart(
  folder: string,
  path: string,
  source: Readable | Iterable<string> | AsyncIterable<string | Buffer>,
  key?: Key,
  signal?: AbortSignal,
): Promise<Stored> {
  await makeFolder(dirname(join(folder, path)))
  const [content, stored] = [new Tally(), new Tally()]
  const file = createWriteStream(join(folder, path), { flush: true, mode: 0o600 })
  await pipeline(source, content, createZstdCompress(ZSTD), sealed(key, path), stored, file, { signal })
  return { part: { path, bytes: stored.bytes, sha256: stored.sha256() }, sha256: content.sha256() }
}

/** The content of a part into `sink`. */
export async function readPart(
  folder: string,
  path: string,
  sink: NodeJS.WritableStream,
  key?: Key,
  signal?: AbortSignal,
): Promise<void> {
  const file = createReadStream(join(folder, path))
  await namingFaults(path, () =>
    pipeline(file, opened(key, path), createZstdDecompress(), sink, signal ? { signal } : {}),
  )
}

/** The lines of a part. Its faults name it. */
export async function* linesOf(folder: string, path: string, key?: Key): AsyncGenerator<string> {
  const text = new PassThrough()
  let fault: unknown
  const done = readPart(folder, path, text, key).catch(err => {
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
export async function textOf(folder: string, path: string, key?: Key): Promise<string> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  await readPart(folder, path, sink, key)
  return Buffer.concat(chunks).toString('utf8')
}

/** Throws unless the stored file is as the manifest says. */
export async function checkPart(folder: string, part: Part, signal?: AbortSignal): Promise<void> {
  const tally = new Tally()
  await namingFaults(part.path, () =>
    pipeline(createReadStream(join(folder, part.path)), tally, nowhere(), signal ? { signal } : {}),
  )
  if (tally.bytes !== part.bytes)
    throw new BackupFault(`${part.path} has ${tally.bytes} bytes instead of ${part.bytes}.`)
  if (tally.sha256() !== part.sha256)
    throw new BackupFault(`${part.path} was changed: its SHA-256 is not that of the backup.`)
}

/** Copies an uploaded file into the files of the backups under a name that exists only when it is complete. */
export async function copyIn(
  from: Readable,
  to: string,
  label: string,
  key?: Key,
  signal?: AbortSignal,
): Promise<Omit<Part, 'path'>> {
  const stored = new Tally()
  const temporary = `${to}.new`
  const file = createWriteStream(temporary, { flush: true, mode: 0o600 })
  await pipeline(from, sealed(key, label), stored, file, { signal })
  await rename(temporary, to)
  await syncFolder(dirname(to))
  return { bytes: stored.bytes, sha256: stored.sha256() }
}

/** Copies a file out of the files of the backups; throws unless it is as the backup says. */
export async function copyOut(
  target: string,
  part: Part,
  to: string,
  label: string,
  key?: Key,
): Promise<void> {
  const stored = new Tally()
  const file = createWriteStream(to, { flush: true, mode: 0o600 })
  await namingFaults(part.path, () =>
    pipeline(createReadStream(join(target, part.path)), stored, opened(key, label), file),
  )
  if (stored.sha256() !== part.sha256)
    throw new BackupFault(`${part.path} was changed: its SHA-256 is not that of the backup.`)
}

/** Bytes and SHA-256 of a stored file; undefined if it is not there. */
export async function stored(path: string): Promise<Omit<Part, 'path'> | undefined> {
  try {
    await stat(path)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
  const tally = new Tally()
  await pipeline(createReadStream(path), tally, nowhere())
  return { bytes: tally.bytes, sha256: tally.sha256() }
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
