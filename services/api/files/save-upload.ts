import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { mayBePicture, shownFileName, storedFileName, withEnding } from '#shared/domain/file-types.ts'
import {
  extensionOfFormat,
  imageExtension,
  imageFormat,
  imageName,
  servedAs,
} from '#shared/domain/uploads.ts'
import type { NewFile } from '#shared/posting/files.ts'
import { ByteBudget } from '#shared/runtime/byte-budget.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type FoundImage, findImage, MOST_PIXELS_OF_PHOTO } from '#shared/runtime/images.ts'
import { LARGEST_IMAGE } from '#shared/runtime/settings.ts'
import type { FileStore } from '#shared/stores/files.ts'
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
  return saveEach(files, uploads, async upload => {
    const extension = imageExtension(upload.originalName)
    const image = extension && (await findImage(upload.path, MOST_PIXELS_OF_PHOTO))
    if (!image || image.format !== imageFormat(extension)) return undefined
    return saveImage(files, upload, image, extension)
  })
}

/**
 * Stores every upload (interface 13.1). Images may have the name of another format, or of none: a browser's "Save image
 * as" makes such files. With `imagesOnly` refuses all if one is no image. */
export async function saveFiles(
  files: FileStore,
  uploads: Upload[],
  imagesOnly: boolean,
): Promise<NewFile[]> {
  return saveEach(files, uploads, async upload => {
    const { size } = await stat(upload.path)
    const image = size > LARGEST_IMAGE * MIB ? undefined : await saveFoundImage(files, upload)
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

/** Undefined if the upload is no image, or named as something else than a picture. */
async function saveFoundImage(files: FileStore, upload: Upload): Promise<NewFile | undefined> {
  const { path, originalName } = upload
  const image = mayBePicture(originalName) ? await findImage(path, MOST_PIXELS_OF_PHOTO) : undefined
  if (!image) return undefined
  const extension = imageExtension(originalName)
  if (extension && imageFormat(extension) === image.format) return saveImage(files, upload, image, extension)
  const ending = extensionOfFormat(image.format)
  return saveImage(files, { ...upload, originalName: withEnding(originalName, ending) }, image, ending)
}

async function saveImage(
  files: FileStore,
  upload: Upload,
  found: FoundImage,
  extension: string,
): Promise<NewFile | undefined> {
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
