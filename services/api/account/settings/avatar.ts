import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Username } from '#shared/domain/units.ts'
import { imageExtension, imageFormat } from '#shared/domain/uploads.ts'
import { spendUpload } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type FoundImage, findImage, openImage } from '#shared/runtime/images.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { withoutMetadata } from '../../files/strip-metadata.ts'
import { replaceAvatar } from './queries.ts'

/** Twice the size that the client sends, for high-density screens. */
const LARGEST_SIDE = 256
const QUALITY = 88
/** Seconds; decoding that takes longer would delay others. */
const DECODED_WITHIN = 5

/** Bytes; a JPEG of LARGEST_SIDE is far smaller. */
const LARGEST_KEPT = 256 * 1024

interface Upload {
  path: string
  originalName: string
}

/** Replaces a user's avatar and deletes the previous file. */
export async function putAvatar(
  stores: Stores,
  username: Username,
  upload: Upload | undefined,
): Promise<void> {
  await exchange(stores, username, await storeAvatar(stores, username, upload))
}

/**
 * Stores a picture that this person uploads; returns its name. Served as image/jpeg (interface 4.5): a small, upright JPEG
 * keeps its bytes without metadata, everything else is converted.
 */
export async function storeAvatar(
  stores: Stores,
  username: Username,
  upload: Upload | undefined,
): Promise<string> {
  const format = upload && imageFormat(imageExtension(upload.originalName) ?? '')
  const image = upload && format ? await findImage(upload.path) : undefined
  if (!upload || !image || image.format !== format) throw errors.notAnImage()
  // A name that /files does not serve (shared/domain/uploads.ts).
  const name = `avatar-${randomUUID().replaceAll('-', '')}.jpg`
  const picture = (await keptJpeg(upload.path, image)) ?? (await smallJpeg(upload.path))
  await spendUpload(stores, username, (await stat(upload.path)).size)
  await stores.files.put(picture, name)
  return name
}

/** The upload without its metadata; undefined when it must be converted. */
async function keptJpeg(path: string, found: FoundImage): Promise<Buffer | undefined> {
  if (found.format !== 'jpeg' || found.orientation !== 1) return undefined
  if (Math.max(found.width, found.height) > LARGEST_SIDE || (await stat(path)).size > LARGEST_KEPT)
    return undefined
  const kept = withoutMetadata(await readFile(path), found)
  if (kept === undefined) return undefined
  try {
    // Decodes the image: a valid header does not prove the rest.
    await openImage(kept).timeout({ seconds: DECODED_WITHIN }).stats()
    return kept
  } catch {
    throw errors.notAnImage()
  }
}

async function smallJpeg(path: string): Promise<Buffer> {
  try {
    return await openImage(path)
      .autoOrient()
      .resize(LARGEST_SIDE, LARGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: DECODED_WITHIN })
      .toBuffer()
  } catch {
    // The header is valid, the rest is not.
    throw errors.notAnImage()
  }
}

export async function removeAvatar(stores: Stores, username: Username): Promise<void> {
  await exchange(stores, username, null)
}

/** Sets a stored picture, or none, in the transaction of another change; returns the file that it replaces. */
export async function setAvatar(tx: Db, username: Username, name: string | null): Promise<string | null> {
  return (await replaceAvatar(tx, username, name))?.avatar_file ?? null
}

/** After the row: an orphaned file is swept later, a row without its file would be a broken picture. */
async function exchange(stores: Stores, username: Username, name: string | null) {
  const before = await replaceAvatar(stores.db, username, name)
  const isOver = before === undefined ? name : before.avatar_file
  if (isOver !== null) await stores.files.remove(isOver)
}
