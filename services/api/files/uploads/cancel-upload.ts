import type { Username } from '#shared/domain/units.ts'
import { countedAlone, insertSpent } from '#shared/posting/files.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { deleteUpload, lockUpload } from './queries.ts'

/** Removes an upload with its bytes. The file of one that was sent belongs to its message, and stays. */
export async function cancelUpload(stores: Stores, username: Username, id: string): Promise<void> {
  const isGone = await countedAlone(stores, username, tx => dropUpload(stores, tx, username, id))
  if (isGone) await stores.files.uploads.remove(id)
}

/**
 * Deletes the row of an upload; the bytes received count for the quota of the day still. False for an unknown upload, and
 * for one that a message carries.
 */
export async function dropUpload(stores: Stores, tx: Db, username: Username, id: string): Promise<boolean> {
  const upload = await lockUpload(tx, username, id)
  if (!upload || upload.sent) return false
  await insertSpent(tx, username, await stores.files.uploads.received(id))
  return deleteUpload(tx, username, id)
}
