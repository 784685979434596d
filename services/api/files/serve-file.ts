import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { errors } from '#shared/runtime/http-errors.ts'
import type { ByteRange, FileStore } from '#shared/stores/files.ts'
import { content, nothing } from '../middleware/endpoint.ts'
import { namesTag } from '../middleware/validated.ts'

/** For the entry of an endpoint with `serveFile`. */
export const FILE_ANSWERS = {
  200: content('*/*', 'the file'),
  206: content('*/*', 'a range of the file'),
  304: nothing,
  416: nothing,
}

/**
 * Serves a stored file according to RFC 9110: whole, one range, or 304. The content of a name never changes, so the
 * name is the ETag. Requests for several ranges get the whole file, which the RFC permits.
 */
export async function serveFile(
  req: Request,
  res: Response,
  files: FileStore,
  name: string,
  headers: Record<'Content-Type' | 'Cache-Control', string> & Record<string, string>,
): Promise<void> {
  const size = await files.size(name)
  if (size === undefined) throw errors.notFound()
  const etag = `"${name}"`
  const known = namesTag(req.get('If-None-Match'), etag)
  const range = known ? undefined : rangeIn(req, size, etag)
  const hasBody = req.method === 'GET' && !known && range !== 'unsatisfiable'
  // Before any header is sent: error responses must not be cached for ever.
  const bytes = hasBody ? await files.read(name, range) : undefined
  if (hasBody && !bytes) throw errors.notFound()

  res.set({
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...headers,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  })
  if (known) return void res.status(304).end()
  if (range === 'unsatisfiable') {
    res.set({ 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' })
    return void res.status(416).end()
  }
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  res.set('Content-Length', String(range ? range.end - range.start + 1 : size))
  if (!bytes) return void res.end()
  await pipeline(bytes, res).catch(err => {
    if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err
  })
}

/**
 * Undefined: the whole file. Ranges apply to GET only, and only if `If-Range` matches. `req.range()` would reject the
 * last thousand bytes of a shorter file.
 */
function rangeIn(req: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  if (req.method !== 'GET' || (req.get('If-Range') ?? etag) !== etag) return undefined
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(req.get('Range') ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  // “-5” means the last five bytes.
  const start = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}
