import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { imageExtension, imageFormat } from '#shared/rules/uploads.ts'
import type { FileStore } from '#shared/stores/files.ts'

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

/**
 * Keeps those uploads that are the image their extension claims, under new names; the others are skipped, as the
 * interface says of forbidden extensions. Answers the stored names in order.
 */
export async function saveImages(files: FileStore, uploads: { path: string; originalName: string }[]) {
  const stored: string[] = []
  for (const upload of uploads) {
    const extension = imageExtension(upload.originalName)
    if (extension === undefined || !(await isImage(upload.path, imageFormat(extension)))) continue
    const name = randomUUID().replaceAll('-', '') + extension
    await files.keep(upload.path, name)
    stored.push(name)
  }
  return stored
}

/** Reads the header only. */
async function isImage(path: string, format: string | undefined) {
  try {
    const found = await sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 }).metadata()
    return found.format === format && found.width * found.height <= MOST_PIXELS
  } catch {
    // sharp says why in many ways, and all of them mean: not an image that we can show.
    return false
  }
}
