import { mayBePicture } from '#shared/domain/file-types.ts'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { checkQuota, countedAlone } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { maxUpload, maxUploadBytes } from '#shared/runtime/settings.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { dropUpload } from './cancel-upload.ts'
import { insertUpload, openUploads, type UploadRow, uploadsWithIds } from './queries.ts'
import { uploadPayload } from './upload-file.ts'

/** Open uploads of a person. */
const MOST_OPEN = 10
const WAIT_FOR_ANOTHER: Seconds = 60

/** Begins an upload in parts, or tells how much of an earlier one is there. */
export async function beginUpload(
  stores: Stores,
  username: Username,
  wanted: Omit<UploadRow, 'sent'>,
  hasRoom: (bytes: number) => Promise<boolean>,
): Promise<UploadPayload> {
  const { id, originalName, size } = wanted
  const [known] = await uploadsWithIds(stores.db, username, [id])
  if (known) {
    if (known.size !== size || known.originalName !== originalName) throw conflict()
    return uploadPayload(stores, size, known.sent ? size : await stores.files.uploads.received(id))
  }
  const { current } = stores.settings
  if (size > maxUploadBytes(current)) throw errors.fileTooLarge(maxUpload(current))
  if (current.file_types === 'images' && !mayBePicture(originalName))
    throw errors.fileTypeNotAllowed(originalName)
  if (!(await hasRoom(size))) throw errors.storageFull()
  const gone = await countedAlone(stores, username, async tx => {
    const idle = await makePlace(stores, tx, username)
    await checkQuota(tx, stores, username, size)
    if (!(await insertUpload(tx, username, wanted))) throw conflict()
    return idle
  })
  if (gone) await stores.files.uploads.remove(gone)
  return uploadPayload(stores, size, 0)
}

/** An idle upload gives way to a new one; its client begins anew. Returns its id. */
async function makePlace(stores: Stores, tx: Db, username: Username): Promise<string | undefined> {
  const open = await openUploads(tx, username)
  if (open.length < MOST_OPEN) return undefined
  const [longest] = open
  if (!longest?.isIdle) throw errors.tooMany(WAIT_FOR_ANOTHER, 'uploads_at_once')
  await dropUpload(stores, tx, username, longest.id)
  return longest.id
}

const conflict = () => errors.coded(409, 'conflict', 'This id was used for another upload.')
