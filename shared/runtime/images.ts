import sharp, { type Metadata, type Sharp } from 'sharp'
import { framesOfPng } from './animated-png.ts'

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

/** For images that are decoded at once by a process with other work. */
const MOST_PIXELS = 40_000_000
/** For images of messages: phones take up to 108 megapixels. */
export const MOST_PIXELS_OF_PHOTO = 110_000_000
/** Bytes that the decoder of one image may hold. */
export const MOST_HELD = 450_000_000
/** Names of images have 16 bits for each side. */
const LONGEST_SIDE = 65_535
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
  /** Estimate of the bytes that a decoder of the first frame holds. */
  held: number
}

/** Opens the first frames of an untrusted image, by default one; decodes nothing yet. */
export function openImage(source: string | Buffer, { frames = 1 }: { frames?: number } = {}): Sharp {
  // For animations libvips counts the pixels of all frames.
  const limitInputPixels = frames === 1 ? MOST_PIXELS_OF_PHOTO : MOST_PIXELS_OF_FRAMES
  return sharp(source, { limitInputPixels, failOn: 'error', pages: frames })
}

/** Reads an image's header; undefined for other files and for images too large to show (security 2.8). */
export async function findImage(
  source: string | Buffer,
  mostPixels = MOST_PIXELS,
): Promise<FoundImage | undefined> {
  let metadata: Metadata
  try {
    metadata = await openImage(source).metadata()
  } catch {
    // sharp has many errors; all mean "not an image that can be shown".
    return undefined
  }
  const { format, orientation = 1 } = metadata
  const frames = format === 'png' ? await framesOfPng(source) : (metadata.pages ?? 1)
  const { width, height } = metadata.autoOrient
  const pixels = width * height
  const held = heldBytes(metadata)
  if (pixels > mostPixels || held > MOST_HELD || Math.max(width, height) > LONGEST_SIDE) return undefined
  if (frames > MOST_FRAMES || pixels * frames > MOST_PIXELS_OF_FRAMES) return undefined
  return { format, width, height, orientation, frames, held }
}

/** JPEG and PNG are decoded by rows, unless each row depends on the whole file. */
const HELD_BY_ROWS = 32_000_000

function heldBytes(found: Metadata): number {
  const { format, width, height, channels, isProgressive, chromaSubsampling, depth, orientation = 1 } = found
  const pixels = width * height
  const bytes = depth === 'ushort' ? 2 : 1
  // Coefficients of two bytes.
  if (format === 'jpeg' && isProgressive)
    return pixels * 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels) + HELD_BY_ROWS
  if (format === 'jpeg') return HELD_BY_ROWS
  if (format === 'png') {
    const isByRows = !isProgressive && orientation === 1
    return HELD_BY_ROWS + (isByRows ? 0 : pixels * channels * bytes)
  }
  return pixels * 4
}
