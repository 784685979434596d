import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import type { Seconds } from '#shared/domain/units.ts'
import type { CardPicture } from '#shared/jobs/preview-cache.ts'
import { findImage, openImage } from '#shared/runtime/images.ts'
import { FetchError, type Guard } from './guarded-fetch.ts'

const MOST_BYTES = 5 * 1024 * 1024 // interface 4.4
/** Twice the size at which cards are drawn, for high-density screens. */
const LONGEST_SIDE = 480
/** Excludes tracking pixels and spacers. */
const SHORTEST_SIDE = 16
/** Enough for phone photos. Some formats are decoded whole, and WebP twice: 128 MB. */
const MOST_PIXELS = 16_000_000
/** Redis keeps 200 of them. The first quality that fits is used; noise may not fit at all. */
const MOST_KEPT_BYTES = 60 * 1024
const QUALITIES = [78, 50, 20]
const MADE_WITHIN: Seconds = 2

/** Bounds decoding only; fetches run in parallel. */
const making = pLimit(2)

/** Fetches and re-encodes a picture; undefined if it is not one that cards show. Throws `FetchError`. */
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
    if (signal.aborted) throw new FetchError('timeout', 'no time left for the picture', { isTemporary: true })
    return reduced(body)
  })
  return bytes && { id: pictureId(cardId, bytes), bytes }
}

/** Includes octet-stream, which many servers send; the bytes decide in the end. Excludes SVG and ICO. */
const mayBePicture = (type: string) =>
  /^(?:image\/(?:x-)?(?:p?jpe?g|png|gif|webp)|[\w-]+\/octet-stream|)$/.test(type)

/** Hashes card id and bytes: cards with the same picture must not share it, since each is removed with its card. */
function pictureId(cardId: string, bytes: Buffer) {
  return createHash('sha256').update(cardId).update(bytes).digest('hex').slice(0, 32)
}

/** Re-encodes the pixels: first frame, upright, without metadata. */
async function reduced(body: Buffer): Promise<Buffer | undefined> {
  const image = await findImage(body)
  if (!image || Math.min(image.width, image.height) < SHORTEST_SIDE) return undefined
  if (image.width * image.height > MOST_PIXELS) return undefined
  for (const quality of QUALITIES) {
    const bytes = await openImage(body)
      .autoOrient()
      .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality, effort: 3 })
      .timeout({ seconds: MADE_WITHIN })
      .toBuffer()
      // sharp has many errors for broken files; all mean "no picture".
      .catch(() => undefined)
    if (!bytes || bytes.length <= MOST_KEPT_BYTES) return bytes
  }
  return undefined
}
