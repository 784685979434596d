import sharp, { type Metadata, type Sharp } from 'sharp'

sharp.cache(false)
sharp.concurrency(1)
// Only the five formats; what libvips can read besides is nobody's business here (security 7).
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

const MOST_PIXELS = 40_000_000
const LONGEST_SIDE = 12_000
/** Of all frames together: whoever looks at it decodes them one after the other. */
const MOST_PIXELS_OF_FRAMES = 400_000_000
const MOST_FRAMES = 2_000

export interface FoundImage {
  /** As sharp names it: jpeg, png, gif, webp. */
  format: string
  /** As shown, turned upright. */
  width: number
  height: number
  /** EXIF: 1 is upright. */
  orientation: number
  frames: number
}

/** The first frame of an image that somebody sent, or all of them; nothing is decoded yet. */
export function openImage(source: string | Buffer, { frames = 1 }: { frames?: number } = {}): Sharp {
  // For moving images libvips counts the pixels of all frames.
  const limitInputPixels = frames === 1 ? MOST_PIXELS : MOST_PIXELS_OF_FRAMES
  return sharp(source, { limitInputPixels, failOn: 'error', pages: frames })
}

/** What the header says; undefined for what is no image, or one that is too large to be shown (security 2.8). */
export async function findImage(source: string | Buffer): Promise<FoundImage | undefined> {
  let found: Metadata
  try {
    found = await openImage(source).metadata()
  } catch {
    // sharp says why in many ways, and all of them mean: not an image that we can show.
    return undefined
  }
  const { format, pages: frames = 1, orientation = 1 } = found
  const { width, height } = found.autoOrient
  const pixels = width * height
  if (pixels > MOST_PIXELS || Math.max(width, height) > LONGEST_SIDE) return undefined
  if (frames > MOST_FRAMES || pixels * frames > MOST_PIXELS_OF_FRAMES) return undefined
  return { format, width, height, orientation, frames }
}
