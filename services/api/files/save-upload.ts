import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import { imageExtension, imageFormat, imageName } from '#shared/domain/uploads.ts'
import { type FoundImage, findImage } from '#shared/runtime/images.ts'
import type { FileStore } from '#shared/stores/files.ts'
import { withoutMetadata } from './strip-metadata.ts'

interface Upload {
  path: string
  originalName: string
}

/** Concurrent copies: each holds a whole file in memory while removing its metadata. */
const AT_ONCE = 4
const copying = pLimit(AT_ONCE)

/**
 * Stores the uploads that are images of their extension's type, under new names, and skips the others, as the interface
 * requires for forbidden extensions. Returns the stored names in order.
 */
export async function saveImages(files: FileStore, uploads: Upload[]): Promise<string[]> {
  const stored: string[] = []
  try {
    for (const upload of uploads) {
      const name = await saveImage(files, upload)
      if (name !== undefined) stored.push(name)
    }
  } catch (err) {
    await Promise.all(stored.map(name => files.remove(name)))
    throw err
  }
  return stored
}

async function saveImage(files: FileStore, { path, originalName }: Upload): Promise<string | undefined> {
  const extension = imageExtension(originalName)
  if (extension === undefined) return undefined
  const found = await findImage(path)
  if (!found || found.format !== imageFormat(extension)) return undefined
  if (!(await copying(() => stripFile(path, found)))) return undefined
  const name = imageName(randomUUID(), found, found.frames > 1, extension)
  await files.keep(path, name)
  return name
}

/** False if the file is not an image, despite its header. */
async function stripFile(path: string, found: FoundImage): Promise<boolean> {
  const bytes = await readFile(path)
  const stripped = withoutMetadata(bytes, found)
  if (stripped === undefined) return false
  // In place: the file is not stored yet, and the upload middleware removes it on failure.
  if (!stripped.equals(bytes)) await writeFile(path, stripped)
  return true
}
