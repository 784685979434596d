import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFileName } from '#shared/domain/file-names.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { imageExtension, THUMBNAIL_KINDS, thumbnailName } from '#shared/domain/uploads.ts'
import { ConfigurationError, readIncomingFolder } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { reasonOf, unusable } from '#shared/runtime/variables.ts'
import { Bucket, FOR_SWEEPS } from './bucket.ts'
import { removeOldFiles } from './file-folder.ts'
import type { FileStore, StoredFile, UploadsInParts } from './file-store.ts'

/**
 * Files in a bucket: `files/<name>`, and the parts of uploads as `uploads/<id>/<offset>`. Files of requests lie in
 * a folder of the machine until the bucket has them.
 */

const FILES = 'files/'
const UPLOADS = 'uploads/'
/** Left by a process that was killed; the folder may be one of several processes. */
const FORGOTTEN: Seconds = 24 * 3600
const SWEEPS_EVERY: Milliseconds = 3_600_000
/** The database takes the lock of an upload from a transaction that is idle for 10 s. */
const APPENDED_WITHIN: Milliseconds = 8_000
const PLACES = 15

export async function openFileBucket(filesUrl: string): Promise<FileStore> {
  const bucket = new Bucket(filesUrl)
  const incoming = readIncomingFolder() ?? join(tmpdir(), 'bothy-incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 }).catch((err: unknown) => {
    throw new ConfigurationError([
      unusable(
        'INCOMING_DIR',
        incoming,
        `the folder cannot be made (${reasonOf(err)})`,
        'Name a folder that the account of the processes may write.',
      ),
    ])
  })
  const removeForgotten = () => removeOldFiles(incoming, Date.now() / 1000 - FORGOTTEN)
  await removeForgotten()
  // The janitor may be on another machine.
  setInterval(() => removeForgotten().catch(() => {}), SWEEPS_EVERY).unref()
  const keyOf = (name: string) => `${FILES}${name}`

  return {
    incoming,
    uploads: uploadsInBucket(bucket, incoming),
    async keep(path, name) {
      await bucket.putFile(keyOf(name), path)
      await rm(path, { force: true })
    },
    keepCopy: (path, name) => bucket.putFile(keyOf(name), path),
    async copy(name, newName) {
      if (await bucket.copy(keyOf(name), keyOf(newName))) return
      throw Object.assign(new Error(`${name} is gone`), { code: 'ENOENT' })
    },
    put: (bytes, name) => bucket.put(keyOf(name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
    size: async name => (await bucket.head(keyOf(name)))?.size,
    read: (name, range) => bucket.read(keyOf(name), range),
    async remove(name) {
      const made =
        imageExtension(name) === undefined ? [] : THUMBNAIL_KINDS.map(kind => thumbnailName(name, kind))
      await Promise.all([name, ...made].map(one => bucket.remove(keyOf(one))))
    },
    async *list() {
      for await (const { key, size, ts } of bucket.list(FILES)) {
        const name = key.slice(FILES.length)
        if (isFileName(name)) yield { name, size, ts }
      }
    },
    async removeIncoming(before) {
      const removed = await removeOldFiles(incoming, before)
      // Uploads of other prefixes, such as backups, belong to others.
      const isLeft = (key: string, begun: Seconds) =>
        (key.startsWith(FILES) || key.startsWith(UPLOADS)) && begun < before
      return removed + ((await new Bucket(filesUrl, FOR_SWEEPS).endUploads(isLeft)) ?? 0)
    },
  }
}

interface StoredPart {
  key: string
  offset: number
  size: number
}

/**
 * An object per part, so that a part needs no others. A part that was stored twice, or late, may overlap with others:
 * the bytes of an upload are the same each time.
 */
function uploadsInBucket(bucket: Bucket, incoming: string): UploadsInParts {
  async function partsOf(id: string): Promise<StoredPart[]> {
    const parts: StoredPart[] = []
    for await (const { key, size } of bucket.list(`${UPLOADS}${id}/`))
      parts.push({ key, offset: Number(key.slice(key.lastIndexOf('/') + 1)), size })
    return parts
  }

  return {
    received: async id => endOf(chain(await partsOf(id))),
    async append(id, part, offset) {
      const key = `${UPLOADS}${id}/${String(offset).padStart(PLACES, '0')}`
      await bucket.putFile(key, part, AbortSignal.timeout(APPENDED_WITHIN))
    },
    sync: async () => {},
    async whole(id) {
      const path = join(incoming, randomUUID())
      try {
        await pipeline(contentOf(bucket, chain(await partsOf(id))), createWriteStream(path, { flags: 'wx' }))
        return { path, isCopy: true }
      } catch (err) {
        await rm(path, { force: true })
        throw err
      }
    },
    async remove(id) {
      for (const { key } of await partsOf(id)) await bucket.remove(key)
    },
    async *list() {
      let upload: StoredFile | undefined
      // In the order of the keys: those of an upload come together.
      for await (const { key, size, ts } of bucket.list(UPLOADS)) {
        const name = key.split('/')[1]!
        if (upload && upload.name !== name) yield upload
        upload =
          upload?.name === name
            ? { name, size: upload.size + size, ts: Math.max(upload.ts, ts) }
            : { name, size, ts }
      }
      if (upload) yield upload
    },
  }
}

/** The parts from the first byte on, without a gap. */
function chain(parts: StoredPart[]): StoredPart[] {
  const linked: StoredPart[] = []
  for (const part of parts.toSorted((a, b) => a.offset - b.offset))
    if (part.offset === endOf(linked)) linked.push(part)
  return linked
}

function endOf(linked: StoredPart[]): number {
  const last = linked.at(-1)
  return last ? last.offset + last.size : 0
}

async function* contentOf(bucket: Bucket, parts: StoredPart[]): AsyncGenerator<Buffer> {
  for (const { key } of parts) {
    const bytes: Readable | undefined = await bucket.read(key)
    // Cancelled, or forgotten, meanwhile.
    if (!bytes) throw errors.notFound()
    yield* bytes
  }
}
