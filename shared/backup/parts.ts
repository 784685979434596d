import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { PassThrough, type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import {
  BackupFault,
  type BackupPart,
  CHECKSUM,
  MANIFEST,
  type Manifest,
  Missing,
  type Part,
  POOL_LIST,
  SIGNATURE,
} from './layout.ts'
import { LONGEST_MANIFEST, manifestIn, mostContent } from './manifest.ts'
import type { Place } from './place.ts'
import type { Key } from './sealing.ts'

/**
 * The files of a backup as streams, so that memory does not grow with them. Readers take no more bytes than the manifest
 * says, before and after decompression, and throw unless bytes and SHA-256 are equal.
 */

/** Fast, and a quarter of the text: the disk is the limit, not the processor. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
/** Level 3 looks back 2 MiB; a frame may not ask for more memory than four times this. */
const UNZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }
/** Characters of a line of a list: names have 240 at most. */
const LONGEST_LINE = 1_000
const LONGEST_SIGNATURE = 200

/** Counts and hashes what passes. */
export class Tally extends Transform {
  bytes = 0
  readonly #hash: Hash = createHash('sha256')
  readonly #most: number
  readonly #excess: string

  /** Fails with the sentence `excess` when more than `most` bytes pass. */
  constructor(most = Infinity, excess = '') {
    super()
    this.#most = most
    this.#excess = excess
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (err: Error | null, chunk?: Buffer) => void) {
    this.bytes += chunk.length
    if (this.bytes > this.#most) return done(new BackupFault(this.#excess))
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
  part: BackupPart
  /** SHA-256 of the content before compression. */
  sha256: string
}

/** A backup as it lies in its place, complete or not. */
export interface PlacedBackup {
  place: Place
  /** Path of its parts within the place. */
  folder: string
}

/** A backup whose manifest was read. */
export interface ReadableBackup extends PlacedBackup {
  manifest: Manifest
  /** Undefined for a backup without encryption, or for reading what is not sealed. */
  key: Key | undefined
}

/** The list of files is read to remove those that no backup names, also of backups sealed with another passphrase. */
export const isSealed = (path: string): boolean => path !== POOL_LIST

/** Sealed parts open under this label only. */
const labelIn = (id: string | undefined, path: string) => (id === undefined ? path : `${id} ${path}`)

/** Writes a part of a backup: compressed, sealed and hashed. */
export async function writePart(
  { place, folder, id, key }: PlacedBackup & { id: string; key: Key | undefined },
  path: string,
  source: Readable | Iterable<string> | AsyncIterable<string | Buffer>,
  signal?: AbortSignal,
): Promise<Stored> {
  const [content, stored] = [new Tally(), new Tally()]
  const store = (bytes: AsyncIterable<Buffer>) => place.write(`${folder}/${path}`, bytes, signal)
  const seal = sealed(isSealed(path) ? key : undefined, labelIn(id, path))
  await pipeline(source, content, createZstdCompress(ZSTD), seal, stored, store, { signal })
  const part = { path, bytes: stored.bytes, sha256: stored.sha256(), content_bytes: content.bytes }
  return { part, sha256: content.sha256() }
}

/** The content of a part into `sink`; returns its SHA-256. The sink has got everything before a last fault is found. */
export async function readPart(
  { place, folder, manifest, key }: ReadableBackup,
  path: string,
  sink: NodeJS.WritableStream,
  { signal, most = Infinity }: { signal?: AbortSignal | undefined; most?: number } = {},
): Promise<string> {
  const part = partOf(manifest, path)
  const stored = storedTally(part)
  const allowed = Math.min(part.content_bytes ?? mostContent(part), most)
  const content = new Tally(allowed, `${path} unpacks to more bytes than its manifest says.`)
  await namingFaults(path, async () =>
    pipeline(
      await place.read(`${folder}/${path}`),
      stored,
      opened(isSealed(path) ? key : undefined, labelIn(manifest.id, path)),
      createZstdDecompress(UNZSTD),
      content,
      sink,
      signal ? { signal } : {},
    ),
  )
  requireSame(part, stored)
  if (part.content_bytes !== undefined && content.bytes !== part.content_bytes)
    throw new BackupFault(`${path} unpacks to ${content.bytes} bytes instead of ${part.content_bytes}.`)
  return content.sha256()
}

function partOf(manifest: Manifest, path: string): BackupPart {
  const part = manifest.parts.find(part => part.path === path)
  if (!part) throw new BackupFault(`${MANIFEST} does not name ${path}.`)
  return part
}

const storedTally = ({ path, bytes }: Part) =>
  new Tally(bytes, `${path} has more than the ${bytes} bytes of its backup.`)

function requireSame(part: Part, tally: Tally) {
  if (tally.bytes !== part.bytes)
    throw new BackupFault(`${part.path} has ${tally.bytes} bytes instead of ${part.bytes}.`)
  if (tally.sha256() !== part.sha256)
    throw new BackupFault(`${part.path} was changed: its SHA-256 is not that of the backup.`)
}

/** The lines of a list. Its faults name it. */
export async function* linesOf(backup: ReadableBackup, path: string): AsyncGenerator<string> {
  const text = new PassThrough()
  let fault: unknown
  const done = readPart(backup, path, text).catch(err => {
    fault = err
    text.destroy(err)
  })
  text.setEncoding('utf8')
  try {
    let rest = ''
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      if (rest.length > LONGEST_LINE) throw lineFault(path)
      yield* lines
    }
    await done
    if (fault !== undefined) throw fault
    if (rest !== '') yield rest
  } catch (err) {
    // The stream may end with the error of a decoder before that has got the name of the part.
    text.destroy()
    await done
    throw fault instanceof BackupFault ? fault : err
  } finally {
    text.destroy()
    await done
  }
}

/** A line of a list is not of its form. */
export const lineFault = (path: string): BackupFault =>
  new BackupFault(`${path} has a line that bothy does not write.`)

/** The content of a part of at most `most` bytes. */
export async function textOf(backup: ReadableBackup, path: string, most: number): Promise<string> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  await readPart(backup, path, sink, { most })
  return Buffer.concat(chunks).toString('utf8')
}

/** The content of a part goes nowhere; returns its SHA-256. */
export const hashOfContent = (backup: ReadableBackup, path: string, signal?: AbortSignal): Promise<string> =>
  readPart(backup, path, nowhere(), { signal })

export interface StoredManifest {
  manifest: Manifest
  text: string
}

/** Reads the manifest of a backup and checks it against its checksum, which everybody can compute. */
export async function readManifest({ place, folder }: PlacedBackup): Promise<StoredManifest> {
  const read = (name: string) => textIn(place, `${folder}/${name}`, LONGEST_MANIFEST)
  const [text, checksum] = await Promise.all([read(MANIFEST), read(CHECKSUM)])
  return { manifest: manifestIn(text, checksum), text }
}

/** True if a manifest was written with this passphrase. */
export async function isSigned({ place, folder }: PlacedBackup, text: string, key: Key): Promise<boolean> {
  const path = `${folder}/${SIGNATURE}`
  if (!(await place.has(path))) return false
  return key.signed(text, (await textIn(place, path, LONGEST_SIGNATURE)).trim())
}

async function textIn(place: Place, path: string, most: number): Promise<string> {
  const missing = () => new BackupFault(`${place.addressOf(path)} is missing: this is not a complete backup.`)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of (await place.read(path)) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw new BackupFault(`${path} has more than ${most} bytes.`)
      chunks.push(chunk)
    }
  } catch (err) {
    const isMissing = err instanceof Missing || (err as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? missing() : err
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Throws unless the stored file is as the manifest says. `folder`: the path of the backup, or none for files of all. */
export async function checkPart(
  place: Place,
  folder: string,
  part: Part,
  signal?: AbortSignal,
): Promise<void> {
  const tally = storedTally(part)
  await namingFaults(part.path, async () =>
    pipeline(await place.read(`${folder}${part.path}`), tally, nowhere(), signal ? { signal } : {}),
  )
  requireSame(part, tally)
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
  const stored = storedTally(part)
  const file = createWriteStream(to, { flags: 'wx', flush: true, mode: 0o600 })
  await namingFaults(part.path, async () =>
    pipeline(await place.read(part.path), stored, opened(key, label), file),
  )
  requireSame(part, stored)
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
    // An error of the database that takes the rows.
    if ('severity' in (err as object)) throw err
    const isBroken =
      /^(ZSTD|Z_|ERR_ZSTD|ERR_OSSL|EIO)/.test(code) || /authenticate|not sealed|too short|zstd/i.test(message)
    if (isBroken && name !== 'AbortError') throw new BackupFault(`${path} cannot be read: ${message}.`)
    throw err
  }
}
