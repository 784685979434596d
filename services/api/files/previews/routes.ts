import { Router } from 'express'
import { findCardPicture } from '#shared/jobs/preview-cache.ts'
import { readLink } from '#shared/jobs/preview-job.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { namesTag } from '../../middleware/validated.ts'
import { cardFinder } from './ask-worker.ts'
import { filePreview } from './file-preview.ts'

const A_YEAR = 365 * 24 * 3600
/** Seconds until a retry may find a card that was late. The body is `{}` all the same, as the interface says. */
const LATER = '15'

/** Interface 4.4, the rest. User-supplied addresses are fetched by services/previews only. */
export function previewRoutes(stores: Stores): Router {
  const routes = Router()
  const findCard = cardFinder(stores)

  routes.get('/link_preview', async (req, res) => {
    const link = stores.settings.current.link_previews ? readLink(req.query['url']) : undefined
    const card = link ? await findCard(link, viewerOf(req)) : {}
    // Cached once for all fragments of an address; the link leads to the requested one.
    if (!card) res.set('Retry-After', LATER)
    res.json(card && 'type' in card && link ? { ...card, url: link.shown } : {})
  })

  routes.get('/file_preview/:name', async (req, res) => {
    res.json((await filePreview(stores, viewerOf(req), req.params.name)) ?? {})
  })

  /** Ours: the card's picture, so that browsers do not contact the site. */
  routes.get('/card_picture/:id', async (req, res) => {
    const { id } = req.params
    const bytes = await findCardPicture(stores, id).catch(unlessAway)
    if (!bytes) throw errors.notFound()
    const etag = `"${id}"`
    res.set({
      'Content-Type': 'image/webp',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Named by its content.
      'Cache-Control': `private, max-age=${A_YEAR}, immutable`,
      ETag: etag,
    })
    if (namesTag(req.get('If-None-Match'), etag)) return void res.status(304).end()
    res.send(bytes)
  })

  return routes
}

function unlessAway(err: unknown) {
  if (!isRedisAway(err)) throw err
  return undefined
}
