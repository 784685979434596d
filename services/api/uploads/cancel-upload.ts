import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { deleteUpload } from './queries.ts'

/** Removes an upload with its bytes. The file of one that was sent belongs to its message, and stays. */
export async function cancelUpload(stores: Stores, username: Username, id: string): Promise<void> {
  if (await deleteUpload(stores.db, username, id)) await stores.files.uploads.remove(id)
}
