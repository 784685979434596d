import * as v from 'valibot'
import { CodePreviewPayload, LinkPreviewPayload, NoPreview } from '#shared/domain/payloads/previews.ts'
import { findCardPicture } from '#shared/jobs/preview-cache.ts'
import { readLink } from '#shared/jobs/preview-job.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import { content, endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { perStores } from '../../middleware/per-stores.ts'
import { namesTag } from '../../middleware/validated.ts'
import { cardFinder } from './ask-worker.ts'
import { filePreview } from './file-preview.ts'

const A_YEAR = 365 * 24 * 3600
/** Seconds until a retry may find a card that was late. The body is `{}` all the same, as the interface says. */
const LATER = '15'
const findCard = perStores(cardFinder)

/** Interface 4.4, the rest. User-supplied addresses are fetched by services/previews only. */
export const previewEndpoints = [
  endpoint(
    'GET /link_preview',
    {
      summary: 'Gives the preview card of a link.',
      who: 'signed in',
      limit: [['search', 'card']],
      errors: 'text',
      query: f.fields({ url: f.anything }),
      answers: {
        200: payload(LinkPreviewPayload),
      },
    },
    async ({ stores, res, viewer, query: { url } }) => {
      const link = stores.settings.current.link_previews ? readLink(url) : undefined
      const card = link ? await findCard(stores)(link, viewer) : {}
      // Cached once for all fragments of an address; the link leads to the requested one.
      if (!card) res.set('Retry-After', LATER)
      return card && 'type' in card && link ? { ...card, url: link.shown } : {}
    },
  ),

  endpoint(
    'GET /file_preview/:name',
    {
      summary: 'Gives the beginning of a text file, with its language.',
      who: 'member',
      within: 'file',
      errors: 'text',
      answers: {
        200: payload(v.union([CodePreviewPayload, NoPreview])),
      },
    },
    async ({ stores, viewer, params }) => (await filePreview(stores, viewer, params.name)) ?? {},
  ),

  /** Ours: the card's picture, so that browsers do not contact the site. */
  endpoint(
    'GET /card_picture/:id',
    {
      summary: 'Gives the picture of a preview card.',
      who: 'signed in',
      errors: 'text',
      answers: { 304: nothing, 200: content('image/webp', 'the picture') },
      fails: [404],
    },
    async ({ stores, req, res, params }) => {
      const { id } = params
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
    },
  ),
]

function unlessAway(err: unknown) {
  if (!isRedisAway(err)) throw err
  return undefined
}
