import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request, Response } from 'express'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { FORM_OVERHEAD } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fileUpload, uploadsOf } from '../../middleware/bodies.ts'
import { appendPart, receive } from './append-part.ts'
import { uploadsWithIds } from './queries.ts'
import { largestPart, room } from './upload-file.ts'

/**
 * Receives an upload in a single request: its bytes, or a form with one file. Another number of bytes than its size is 400,
 * and leaves nothing. After a fault of a store the next request continues, as with parts.
 */
export async function receiveWhole(
  stores: Stores,
  username: Username,
  id: string,
  req: Request,
  res: Response,
): Promise<void> {
  const [upload] = await uploadsWithIds(stores.db, username, [id])
  if (!upload || upload.sent) throw errors.notFound()
  const { size } = upload
  checkAnnounced(req, size)
  if (!(await room(stores)(size))) throw errors.storageFull()
  const path = join(stores.files.incoming, randomUUID())
  try {
    const file = req.is('multipart/form-data')
      ? await fileOfForm(stores, req, res)
      : await receive(req, path, size).then(() => path)
    if (file === undefined || (await stat(file)).size !== size) throw wrongSize(size)
    await append(stores, username, id, file, size)
  } finally {
    await rm(path, { force: true })
  }
}

/** Refuses a body of another length before it is read. */
function checkAnnounced(req: Request, size: number) {
  const announced = Number(req.headers['content-length'] ?? size)
  const most = req.is('multipart/form-data') ? size + FORM_OVERHEAD : size
  if (announced < size || announced > most) throw wrongSize(size)
}

const wrongSize = (size: number) => errors.badRequest(`this upload has ${size} bytes`)

/** The middleware removes the file after the response. */
async function fileOfForm(stores: Stores, req: Request, res: Response): Promise<string | undefined> {
  const parse = fileUpload(stores)
  await new Promise<void>((resolve, reject) => {
    const done = (err?: unknown) => (err === undefined ? resolve() : reject(err))
    Promise.resolve(parse(req, res, done)).catch(reject)
  })
  return uploadsOf(req)[0]?.path
}

async function append(stores: Stores, username: Username, id: string, path: string, size: number) {
  const most = largestPart(stores)
  for (let offset = await stores.files.uploads.received(id); offset < size; ) {
    const announced = Math.min(most, size - offset)
    const bytes = createReadStream(path, { start: offset, end: offset + announced - 1 })
    try {
      const part = { id, offset, bytes, announced }
      offset = (await appendPart(stores, username, part, room(stores))).offset
    } finally {
      bytes.destroy()
    }
  }
}
