import { randomUUID } from 'node:crypto'
import { findImage, openImage } from '#shared/kernel/images.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import type { Username } from '#shared/rules/units.ts'
import { imageExtension, imageFormat } from '#shared/rules/uploads.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { replaceAvatar } from './queries.ts'

/** Twice what the client sends, for sharp screens. */
const LARGEST_SIDE = 256
const QUALITY = 88
/** An image that takes longer to decode is not worth the others' wait. */
const DECODED_WITHIN = 5

/**
 * Makes the upload somebody's avatar; the file of the one before goes. Served as image/jpeg (interface 4.5), so it is
 * made one: upright, without what a camera writes beside the picture.
 */
export async function putAvatar(
  stores: Stores,
  username: Username,
  upload: { path: string; originalName: string } | undefined,
): Promise<void> {
  const format = upload && imageFormat(imageExtension(upload.originalName) ?? '')
  if (!upload || !format || (await findImage(upload.path))?.format !== format) throw refuse.notAnImage()
  // Not a name that /files would serve (shared/rules/uploads.ts).
  const name = `avatar-${randomUUID().replaceAll('-', '')}.jpg`
  await stores.files.put(await smallJpeg(upload.path), name)
  await exchange(stores, username, name)
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
    // The header was right and the rest is not.
    throw refuse.notAnImage()
  }
}

export async function removeAvatar(stores: Stores, username: Username): Promise<void> {
  await exchange(stores, username, null)
}

/** After the row: a file without a row is swept later, a row without its file would be a broken picture. */
async function exchange(stores: Stores, username: Username, name: string | null) {
  const before = await replaceAvatar(stores.db, username, name)
  const isOver = before === undefined ? name : before.avatar_file
  if (isOver !== null) await stores.files.remove(isOver)
}
