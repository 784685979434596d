import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import type { CardPicture } from '#shared/jobs/preview-cache.ts'
import { findImage, openImage } from '#shared/kernel/images.ts'
import type { Seconds } from '#shared/rules/units.ts'
import { type Guard, NotFetched } from './guarded-fetch.ts'

const MOST_BYTES = 5 * 1024 * 1024 // decisions, "Files and previews"
/** Cards are drawn at half of this, so it is sharp on fine screens. */
const LONGEST_SIDE = 480
/** What counts readers, and what fills lines, is no picture. */
const SHORTEST_SIDE = 16
/** Those of a telephone. Some formats are decoded whole, and WebP twice: that is 128 MB. */
const MOST_PIXELS = 16_000_000
/** Two hundred of them are kept in Redis. The first quality at which it fits; noise may not fit at all. */
const MOST_KEPT_BYTES = 60 * 1024
const QUALITIES = [78, 50, 20]
const MADE_WITHIN: Seconds = 2

/** At once; fetched they are side by side. */
const making = pLimit(2)

/** The picture at this address as we serve it, undefined when it is none that we show. Throws `NotFetched`. */
export async function cardPicture(
  guard: Guard,
  url: URL,
  cardId: string,
  signal: AbortSignal,
): Promise<CardPicture | undefined> {
  const { body } = await guard.fetch(
    url,
    { accepts: mayBePicture, maxBytes: MOST_BYTES, longer: 'refuse' },
    signal,
  )
  const bytes = await making(() => {
    if (signal.aborted) throw new NotFetched('timeout', 'no time left for the picture', { isTemporary: true })
    return reduced(body)
  })
  return bytes && { id: pictureId(cardId, bytes), bytes }
}

/** Many servers do not know better than octet-stream. What it is in truth its bytes say; SVG and ICO need not come. */
const mayBePicture = (type: string) =>
  /^(?:image\/(?:x-)?(?:p?jpe?g|png|gif|webp)|[\w-]+\/octet-stream|)$/.test(type)

/** Of the card and the bytes: cards of one site often have the same picture, and each goes with its own. */
function pictureId(cardId: string, bytes: Buffer) {
  return createHash('sha256').update(cardId).update(bytes).digest('hex').slice(0, 32)
}

/** Made anew from its pixels: the first frame, upright, and nothing of what was written beside it. */
async function reduced(body: Buffer): Promise<Buffer | undefined> {
  const found = await findImage(body)
  if (!found || Math.min(found.width, found.height) < SHORTEST_SIDE) return undefined
  if (found.width * found.height > MOST_PIXELS) return undefined
  for (const quality of QUALITIES) {
    const bytes = await openImage(body)
      .autoOrient()
      .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality, effort: 3 })
      .timeout({ seconds: MADE_WITHIN })
      .toBuffer()
      // sharp says in many ways that it is broken, and all of them mean: no picture.
      .catch(() => undefined)
    if (!bytes || bytes.length <= MOST_KEPT_BYTES) return bytes
  }
  return undefined
}
