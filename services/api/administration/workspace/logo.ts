import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { spendUpload } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { findImage, openImage } from '#shared/runtime/images.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { LOGO, putWebSetting, webSettingsForUpdate } from '#shared/stores/workspace-settings.ts'
import { lockAdmin } from '../../middleware/administration.ts'

const SIDE = 256
/** Seconds. */
const DECODED_WITHIN = 5
const FORMATS = ['png', 'jpeg', 'webp']

/** Stores the image as WebP of at most 256 px, and removes the previous one. */
export async function putLogo(
  stores: Stores,
  actor: Actor,
  upload: { path: string } | undefined,
): Promise<void> {
  if (upload === undefined) throw errors.missing('logo')
  const image = await findImage(upload.path)
  if (!image || !FORMATS.includes(image.format)) throw notAnImage()
  const name = `logo-${randomUUID().replaceAll('-', '')}.webp`
  const picture = await webpOf(upload.path)
  await spendUpload(stores, actor.actor, (await stat(upload.path)).size)
  await stores.files.put(picture, name)
  await exchange(stores, actor, name)
}

export async function removeLogo(stores: Stores, actor: Actor): Promise<void> {
  await exchange(stores, actor, undefined)
}

async function webpOf(path: string): Promise<Buffer> {
  try {
    return await openImage(path)
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp()
      .timeout({ seconds: DECODED_WITHIN })
      .toBuffer()
  } catch {
    // The header is valid, the rest is not.
    throw notAnImage()
  }
}

const notAnImage = () => errors.invalid('logo must be a PNG, JPEG or WebP image')

/** After the row: an orphaned file is swept later, a row without its file would be a broken picture. */
async function exchange(stores: Stores, actor: Actor, name: string | undefined) {
  const before = await runTransaction<string | undefined | typeof unchanged>(
    stores,
    'changeSettings',
    {},
    async tx => {
      await lockAdmin(tx, actor)
      const old = (await webSettingsForUpdate(tx)).get(LOGO) as string | undefined
      if (old === undefined && name === undefined) return unchanged
      await putWebSetting(tx, LOGO, name, actor.actor)
      const detail = { old: old !== undefined, new: name !== undefined }
      await insertAuditEntry(tx, { ...actor, action: 'setting.changed', target: LOGO, detail })
      return old
    },
  )
  await stores.settings.refresh()
  if (typeof before === 'string') await stores.files.remove(before)
}
