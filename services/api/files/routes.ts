import * as contentDisposition from 'content-disposition'
import * as v from 'valibot'
import { findReadableFile } from '#shared/access/readable-message.ts'
import { isInline } from '#shared/domain/file-types.ts'
import {
  imageExtension,
  isAnimated,
  isStoredName,
  needsThumbnail,
  originalName,
  THUMBNAIL_SIZES,
  type ThumbnailKind,
} from '#shared/domain/uploads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { endpoint } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { perStores } from '../middleware/per-stores.ts'
import { FOR_EVER, thumbnailFinder } from './find-thumbnail.ts'
import { FILE_ANSWERS, serveFile } from './serve-file.ts'

const findThumbnail = perStores(thumbnailFinder)

const FORM = f.fields({
  download: f.isOne,
  /** The longer side of a thumbnail in pixels. */
  size: v.fallback(v.optional(v.picklist(THUMBNAIL_SIZES.map(String))), undefined),
  still: f.isOne,
})

/** Interface 4.4, first row: for readers of the message that carries the file. */
export const fileEndpoints = [
  endpoint(
    'GET /files/:name',
    {
      summary: 'Gives a file of a message, or its thumbnail.',
      who: 'member',
      within: 'file',
      errors: 'text',
      query: FORM,
      answers: FILE_ANSWERS,
      fails: [404],
    },
    async ({ stores, req, res, viewer, params, query }) => {
      const { name } = params
      const file = isStoredName(name) ? await findReadableFile(stores, viewer, name) : undefined
      if (!file) throw errors.notFound()
      const kind = thumbnailIn(query, name)
      const served = kind ? await findThumbnail(stores)(name, kind, viewer) : { name, keepFor: FOR_EVER }
      const isThumbnail = served.name !== name
      const type = isThumbnail ? 'image/webp' : file.type
      const shownName = isThumbnail ? originalName(served.name) : file.originalName
      const inline = isInline(type) && !query.download
      await serveFile(req, res, stores.files, served.name, {
        'Content-Type': type,
        'Content-Disposition': contentDisposition.create(shownName, {
          type: inline ? 'inline' : 'attachment',
        }),
        ...(type === 'application/pdf' ? { 'Content-Security-Policy': FOR_PDF } : {}),
        // The content of a name never changes; cached by the browser only.
        'Cache-Control': served.keepFor > 0 ? `private, max-age=${served.keepFor}, immutable` : 'no-store',
      })
    },
  ),
]

/** Viewers of browsers need a style and an object of their own; not all of them work in a sandbox. */
const FOR_PDF = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"

/**
 * `?size=360` or `720` (interface 4.4): the longer side of a thumbnail in pixels, animated if the image is, unless
 * `still=1` asks for the first frame. Any other size counts as missing. Undefined: the file itself.
 */
function thumbnailIn(query: v.InferOutput<typeof FORM>, name: string): ThumbnailKind | undefined {
  const size = THUMBNAIL_SIZES.find(one => String(one) === query.size)
  if (size === undefined || imageExtension(name) === undefined || name[32] !== '.') return undefined
  const kind = { size, still: query.still === true && isAnimated(name) !== false }
  return needsThumbnail(name, kind) ? kind : undefined
}
