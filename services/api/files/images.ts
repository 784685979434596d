import sharp, { type Sharp } from 'sharp'

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
  ],
})

const MOST_PIXELS = 40_000_000

/** The first frame of an image that somebody sent; nothing is decoded yet. */
export function imageAt(path: string): Sharp {
  return sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
}

/** Whether the file is what its extension claims: reads the header only. */
export async function isImage(path: string, format: string | undefined): Promise<boolean> {
  try {
    const found = await imageAt(path).metadata()
    return found.format === format && found.width * found.height <= MOST_PIXELS
  } catch {
    // sharp says why in many ways, and all of them mean: not an image that we can show.
    return false
  }
}
