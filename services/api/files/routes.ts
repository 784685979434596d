import { pipeline } from 'node:stream/promises'
import * as contentDisposition from 'content-disposition'
import { Router } from 'express'
import { findMessageOfFile } from '#shared/access/readable-message.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { isStoredName, originalName, servedAs } from '#shared/rules/uploads.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { viewerOf } from '../middleware/signed-in.ts'

const YEAR = 365 * 24 * 3600

/** Interface 4.4, first row: for whoever can read the message that carries the file. */
export function fileRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/files/:name', async (req, res) => {
    const { name } = req.params
    if (!isStoredName(name) || !(await findMessageOfFile(stores, viewerOf(req), name)))
      throw refuse.notFound()
    const size = await stores.files.size(name)
    if (size === undefined) throw refuse.notFound()

    const { type, inline } = servedAs(name)
    const etag = `"${name}"`
    res.set({
      'Content-Type': type,
      'Content-Disposition': contentDisposition.create(originalName(name), {
        type: inline ? 'inline' : 'attachment',
      }),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // A name is made once and its bytes never change; the browser's own cache only.
      'Cache-Control': `private, max-age=${YEAR}, immutable`,
      ETag: etag,
    })
    if (req.get('If-None-Match') === etag) return void res.status(304).end()
    res.set('Content-Length', String(size))
    if (req.method === 'HEAD') return void res.end()
    await pipeline(stores.files.read(name), res).catch(err => {
      if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err
    })
  })

  return routes
}
