import sharp, { type Metadata, type Sharp } from 'sharp'

sharp.cache(false)
sharp.concurrency(1)
// Only these formats; the other loaders of libvips are attack surface (security 7).
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
/** Bound for all frames together: browsers decode them one after the other. */
const MOST_PIXELS_OF_FRAMES = 400_000_000
const MOST_FRAMES = 2_000

export interface FoundImage {
  /** sharp's name: jpeg, png, gif, webp. */
  format: string
  /** After rotation by `orientation`. */
  width: number
  height: number
  /** EXIF: 1 is upright. */
  orientation: number
  frames: number
}

/** Opens the first frames of an untrusted image, by default one; decodes nothing yet. */
export function openImage(source: string | Buffer, { frames = 1 }: { frames?: number } = {}): Sharp {
  // For animations libvips counts the pixels of all frames.
  const limitInputPixels = frames === 1 ? MOST_PIXELS : MOST_PIXELS_OF_FRAMES
  return sharp(source, { limitInputPixels, failOn: 'error', pages: frames })
}

/** Reads an image's header; undefined for other files and for images too large to show (security 2.8). */
export async function findImage(source: string | Buffer): Promise<FoundImage | undefined> {
  let found: Metadata
  try {
    found = await openImage(source).metadata()
  } catch {
    // sharp has many errors; all mean "not an image that can be shown".
    return undefined
  }
  const { format, pages: frames = 1, orientation = 1 } = found
  const { width, height } = found.autoOrient
  const pixels = width * height
  if (pixels > MOST_PIXELS || Math.max(width, height) > LONGEST_SIDE) return undefined
  if (frames > MOST_FRAMES || pixels * frames > MOST_PIXELS_OF_FRAMES) return undefined
  return { format, width, height, orientation, frames }
}
