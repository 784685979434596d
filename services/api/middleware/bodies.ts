import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import express, { type Request, type RequestHandler } from 'express'
import multer from 'multer'
import { imageExtension } from '#shared/domain/uploads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { LARGEST_IMAGE } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { freeSpace } from './free-space.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Form fields; a repeated name becomes a list and so counts as missing. */
export const form = express.urlencoded({ extended: false, limit: MIB, parameterLimit: 100, inflate: false })

/** The body of operations marked JSON. */
export const json = express.json({ limit: 256 * KIB, inflate: false })

/** Fields of a multipart form, for clients that send all forms as multipart; files are refused. */
const multipart: RequestHandler = (req, res, next) => {
  multer({ limits: { ...FIELD_LIMITS, files: 0 } } as multer.Options).none()(req, res, err => {
    next(err instanceof Error && !('status' in err) ? errors.badRequest('malformed form') : err)
  })
}

/** Form fields in either encoding. */
export const fields: RequestHandler = (req, res, next) => {
  form(req, res, err => {
    if (err) return next(err)
    multipart(req, res, next)
  })
}

/** Images per request, which is also bounded in bytes. */
const MOST_IMAGES = 100
/** Files of any type per request. */
export const MOST_FILES = 10

/** True for a send that keeps files of any type (interface 13.1). */
export const keepsAllFiles = (req: Request) => req.query['files'] === 'all'

/**
 * Stores the images under `files` of a multipart form, or all files with `files=all`, in the file store's `incoming`
 * folder. The route must move those it keeps; the rest is removed after the response. Over a limit: 413, and reading
 * stops.
 */
export function messageUploads(stores: Stores): RequestHandler {
  const mostMegabytes = () => stores.settings.current.max_upload_size_mb
  // Nothing but images: what is no picture would be skipped, after the whole was received.
  const mostOfImage = () => Math.min(mostMegabytes(), LARGEST_IMAGE)
  const images = uploads(stores, { field: 'files', most: MOST_IMAGES, mostMegabytes: mostOfImage })
  const all = uploads(stores, { field: 'files', most: MOST_FILES, mostMegabytes, accepts: () => true })
  return (req, res, next) => (keepsAllFiles(req) ? all : images)(req, res, next)
}

/** The same for a single image under `avatar`. */
export function avatarUpload(stores: Stores): RequestHandler {
  const mostMegabytes = () => stores.settings.current.max_avatar_size_mb
  return uploads(stores, { field: 'avatar', most: 1, mostMegabytes })
}

/** The same for a single image of at most 1 MiB under `logo`. */
export function logoUpload(stores: Stores): RequestHandler {
  return uploads(stores, { field: 'logo', most: 1, mostMegabytes: () => 1, accepts: byItsBytes })
}

/** The same for a single image of at most 512 KiB under `image`. */
export function emojiUpload(stores: Stores): RequestHandler {
  return uploads(stores, { field: 'image', most: 1, mostMegabytes: () => 0.5, accepts: byItsBytes })
}

/** The same for a single file of any type, under any name. */
export function fileUpload(stores: Stores): RequestHandler {
  const mostMegabytes = () => stores.settings.current.max_upload_size_mb
  return uploads(stores, { field: undefined, most: 1, mostMegabytes, accepts: () => true })
}

const FIELD_LIMITS = {
  fields: 20,
  fieldSize: 256 * KIB,
  fieldNameSize: 100,
  parts: 20 + MOST_IMAGES,
  headerPairs: 50,
  fieldNestingDepth: 0,
}

interface Uploads {
  /** Undefined: any. */
  field: string | undefined
  most: number
  mostMegabytes: () => number
  /** By the name of a file. */
  accepts?: (name: string) => boolean
}

/** The route decides by the contents. */
const byItsBytes = () => true
const isNamedAsImage = (name: string) => imageExtension(name) !== undefined

function uploads(
  stores: Stores,
  { field, most, mostMegabytes, accepts = isNamedAsImage }: Uploads,
): RequestHandler {
  const hasRoom = freeSpace(stores)
  return async (req, res, next) => {
    if (!req.is('multipart/form-data')) return next()
    const { max_request_size_mb } = stores.settings.current
    const maxFileMegabytes = Math.min(mostMegabytes(), max_request_size_mb)
    const mostBytes = max_request_size_mb * MIB
    if (Number(req.headers['content-length'] ?? 0) > mostBytes)
      throw errors.requestTooLarge(max_request_size_mb)
    // A small form may contain only text; if not, it is refused at its first file, before the file is read.
    const isRoom = await hasRoom()
    if (!isRoom && !(Number(req.headers['content-length'] ?? Infinity) <= MIB)) throw errors.storageFull()

    let ended = false
    const end = (err?: unknown) => {
      if (ended) return
      ended = true
      next(uploadError(err, stores, maxFileMegabytes, most))
    }
    const parser = multer({
      storage: multer.diskStorage({
        // A function, because multer creates a folder given as text, even while its volume is unmounted.
        destination: (_req, _file, done) => done(null, stores.files.incoming),
        filename: (_req, _file, done) => done(null, randomUUID()),
      }),
      fileFilter(_req, file, done) {
        if (!isRoom) return done(errors.storageFull())
        done(null, accepts(file.originalname))
      },
      defParamCharset: 'utf8',
      limits: { ...FIELD_LIMITS, fileSize: Math.floor(maxFileMegabytes * MIB), files: most },
      // Count the raw stream, because the parser does not count headers and boundaries. The response is sent at once;
      // destroying the parser makes multer remove its files.
      streamHandler(_req: Request, parser: Writable) {
        let bytes = 0
        req.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= mostBytes || ended) return
          const error = errors.requestTooLarge(max_request_size_mb)
          end(error)
          parser.destroy(error)
        })
        req.pipe(parser)
      },
    } as multer.Options)
    const upload = field === undefined ? parser.any() : parser.array(field)

    res.once('close', () => void removeUploads(req))
    upload(req, res, end)
  }
}

export function uploadsOf(req: Request): { path: string; originalName: string }[] {
  const files = (req.files ?? []) as Express.Multer.File[]
  return files.map(file => ({
    path: join(file.destination, file.filename),
    originalName: withQuotes(file.originalname),
  }))
}

/** Browsers escape quotes in the names of files of a form. */
const withQuotes = (name: string) => name.replaceAll('%22', '"')

async function removeUploads(req: Request) {
  await Promise.all(uploadsOf(req).map(file => rm(file.path, { force: true })))
}

function uploadError(err: unknown, stores: Stores, maxFileMegabytes: number, most: number) {
  if (err instanceof multer.MulterError) {
    if (err.code === 'LIMIT_FILE_SIZE') return errors.fileTooLarge(maxFileMegabytes)
    if (err.code === 'LIMIT_FIELD_VALUE')
      return errors.messageTooLong(stores.settings.current.max_message_chars)
    if (err.code === 'LIMIT_FILE_COUNT') return errors.badRequest(`at most ${most} files`)
    return errors.badRequest(err.message)
  }
  // Errors of the multipart parser; a full disk and the like remain server errors.
  if (err instanceof Error && (err as NodeJS.ErrnoException).code === undefined && !('status' in err)) {
    return errors.badRequest('malformed form')
  }
  return err
}
