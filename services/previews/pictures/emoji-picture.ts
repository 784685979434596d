import { EMOJI_SIZE } from '#shared/domain/custom-emoji.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type FoundImage, openImage } from '#shared/runtime/images.ts'

/** A larger animation becomes its first frame. All frames are decoded at once: 40 megapixels are 160 MB. */
const MOST_PIXELS_THAT_MOVE = 40_000_000
const MADE_WITHIN: Seconds = 6
const QUALITY = 85

export interface EmojiPicture {
  picture: Buffer
  /** The first frame of a picture that moves. */
  still: Buffer | undefined
}

/** Makes the small WebP of an emoji; throws for a broken image. */
export async function emojiPicture(bytes: Buffer, found: FoundImage): Promise<EmojiPicture> {
  const { width, height, frames, orientation } = found
  const still = await small(bytes, 1)
  // Frames are decoded as a vertical strip and cannot be rotated individually.
  const moves = frames > 1 && orientation === 1 && width * height * frames <= MOST_PIXELS_THAT_MOVE
  return moves ? { picture: await small(bytes, -1), still } : { picture: still, still: undefined }
}

function small(bytes: Buffer, frames: 1 | -1): Promise<Buffer> {
  const image = openImage(bytes, { frames })
  return (frames === 1 ? image.autoOrient() : image)
    .resize(EMOJI_SIZE, EMOJI_SIZE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: frames === 1 ? 4 : 2, smartSubsample: true })
    .timeout({ seconds: MADE_WITHIN })
    .toBuffer()
}
