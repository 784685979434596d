import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { shownFileName, storedFileName } from '#shared/domain/file-types.ts'
import { imageExtension, imageFormat, imageName, servedAs } from '#shared/domain/uploads.ts'
import type { NewFile } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type FoundImage, findImage } from '#shared/runtime/images.ts'
import { LARGEST_IMAGE } from '#shared/runtime/settings.ts'
import type { FileStore } from '#shared/stores/files.ts'
import { ByteBudget } from './byte-budget.ts'
import { confirmedType } from './confirmed-type.ts'
import { withoutMetadata } from './strip-metadata.ts'

export interface Upload {
  path: string
  originalName: string
  /** An upload in parts, whose file stays unchanged until the message is stored. */
  inParts?: boolean
  /** A file of its own for this request, to be removed at its end. */
  isCopy?: boolean
}

/** An image of the interface, which has thumbnails. */
export const isImage = ({ name }: NewFile) => imageExtension(name) !== undefined && name[32] === '.'

const MIB = 1024 * 1024
/** Bytes in memory of all images whose metadata is being removed: each with its copy, at most LARGEST_IMAGE twice. */
const memory = new ByteBudget(128 * MIB)

/**
 * Stores the uploads that are images of their extension's type, under new names, and skips the others, as the interface
 * requires for forbidden extensions. Returns them in order.
 */
export async function saveImages(files: FileStore, uploads: Upload[]): Promise<NewFile[]> {
  return saveEach(files, uploads, upload => saveImage(files, upload))
}

/** Stores every upload (interface 10.30). With `imagesOnly` refuses all if one is no image. */
export async function saveFiles(
  files: FileStore,
  uploads: Upload[],
  imagesOnly: boolean,
): Promise<NewFile[]> {
  return saveEach(files, uploads, async upload => {
    const { size } = await stat(upload.path)
    const image = size > LARGEST_IMAGE * MIB ? undefined : await saveImage(files, upload)
    if (!image && imagesOnly) throw errors.fileTypeNotAllowed(shownFileName(upload.originalName))
    return image ?? (await saveOther(files, upload, size))
  })
}

async function saveEach(
  files: FileStore,
  uploads: Upload[],
  save: (upload: Upload) => Promise<NewFile | undefined>,
): Promise<NewFile[]> {
  const stored: NewFile[] = []
  try {
    for (const upload of uploads) {
      const file = await save(upload)
      if (file) stored.push(file)
    }
  } catch (err) {
    await Promise.all(stored.map(({ name }) => files.remove(name)))
    throw err
  }
  return stored
}

async function saveImage(files: FileStore, upload: Upload): Promise<NewFile | undefined> {
  const extension = imageExtension(upload.originalName)
  if (extension === undefined) return undefined
  const found = await findImage(upload.path)
  if (!found || found.format !== imageFormat(extension)) return undefined
  const name = imageName(randomUUID(), found, found.frames > 1, extension)
  const { size } = await stat(upload.path)
  const bytes = await memory.run(2 * size, () => keepStripped(files, upload, found, name))
  if (bytes === undefined) return undefined
  const { width, height } = found
  return {
    name,
    originalName: shownFileName(upload.originalName),
    bytes,
    type: servedAs(name).type,
    width,
    height,
  }
}

/** Stores the image without its metadata and returns its size; undefined if it is none, despite its header. */
async function keepStripped(files: FileStore, upload: Upload, found: FoundImage, name: string) {
  const bytes = await readFile(upload.path)
  const stripped = withoutMetadata(bytes, found)
  if (stripped === undefined) return undefined
  if (stripped.equals(bytes)) await keep(files, upload, name)
  else await files.put(stripped, name)
  return stripped.length
}

/** Stores a file as it came; its content is never decoded. */
async function saveOther(files: FileStore, upload: Upload, bytes: number): Promise<NewFile> {
  const originalName = shownFileName(upload.originalName)
  const name = storedFileName(randomUUID(), originalName)
  const type = await confirmedType(upload.path, originalName)
  await keep(files, upload, name)
  return { name, originalName, bytes, type }
}

const keep = (files: FileStore, { path, inParts }: Upload, name: string) =>
  inParts ? files.keepCopy(path, name) : files.keep(path, name)
