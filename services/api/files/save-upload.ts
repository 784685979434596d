import { randomUUID } from 'node:crypto'
import { imageExtension, imageFormat } from '#shared/rules/uploads.ts'
import type { FileStore } from '#shared/stores/files.ts'
import { isImage } from './images.ts'

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
