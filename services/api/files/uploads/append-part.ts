import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lockUpload, noteProgress, type UploadRow, uploadsWithIds } from './queries.ts'
import { largestPart, uploadPayload } from './upload-file.ts'

export interface Part {
  id: string
  offset: number
  bytes: Readable
  /** Their number; 0: unknown. */
  announced: number
}

/** Each append holds a database connection while it copies. */
const APPENDS_AT_ONCE = 3
const appending = pLimit(APPENDS_AT_ONCE)
/** Bytes per write: smaller steps spend more time between the threads. */
const STEP = 1024 * 1024
/** Bytes that the send, which syncs the rest, has to wait for at most. */
const SYNCED = 256 * 1024 * 1024

/**
 * Receives a part and appends it to the upload if nobody else has appended meanwhile. The part has a file of its own
 * until it is complete: the line may be slow, while the upload is locked for the length of a copy.
 */
export async function appendPart(
  stores: Stores,
  username: Username,
  { id, offset, bytes, announced }: Part,
  hasRoom: (bytes: number) => Promise<boolean>,
): Promise<UploadPayload> {
  const [upload] = await uploadsWithIds(stores.db, username, [id])
  const most = await checkPart(stores, upload, offset)
  if (announced > most) throw tooLarge(most)
  if (!(await hasRoom(announced))) throw errors.storageFull()
  const { uploads } = stores.files
  const part = join(stores.files.incoming, randomUUID())
  try {
    await receive(bytes, part, most)
    await appending(() =>
      inTransaction(stores.pool, async tx => {
        const upload = await lockUpload(tx, username, id)
        await checkPart(stores, upload, offset)
        await uploads.append(id, part, offset)
        if ((await uploads.received(id)) > offset) await noteProgress(tx, id)
      }),
    )
  } finally {
    await rm(part, { force: true })
  }
  const received = await uploads.received(id)
  if (Math.floor(offset / SYNCED) < Math.floor(received / SYNCED)) await uploads.sync(id)
  return uploadPayload(stores, upload!.size, received)
}

/** Returns the largest part that may follow at this offset; throws if none may. */
async function checkPart(stores: Stores, upload: UploadRow | undefined, offset: number): Promise<number> {
  if (!upload) throw errors.notFound()
  const received = upload.sent ? upload.size : await stores.files.uploads.received(upload.id)
  if (offset !== received)
    throw errors.coded(409, 'conflict', `The server has ${received} bytes of this upload.`)
  return Math.min(largestPart(stores), upload.size - received)
}

const tooLarge = (most: number) => errors.coded(413, 'too_large', `the part is larger than ${most} bytes`)

/** Writes bytes to a new file; throws 413 if there are more than `most`. */
export async function receive(from: Readable, path: string, most: number): Promise<void> {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > most) done(tooLarge(most))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(from, counted, createWriteStream(path, { flags: 'wx', highWaterMark: STEP }))
  } catch (err) {
    // The line broke: nobody reads the response.
    if ((err as NodeJS.ErrnoException).code === 'ECONNRESET') throw new HttpError(400, 'incomplete')
    throw err
  }
}
