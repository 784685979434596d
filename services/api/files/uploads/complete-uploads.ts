import { rm } from 'node:fs/promises'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { MOST_FILES } from '../../middleware/bodies.ts'
import type { Upload } from '../save-upload.ts'
import { markSent, uploadsWithIds } from './queries.ts'

/** The field `uploads` of a send: ids separated by commas. */
export function uploadIdsIn(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  const ids = text.split(',', MOST_FILES + 1).map(uuidFrom)
  if (ids.length > MOST_FILES) throw errors.badRequest(`at most ${MOST_FILES} files`)
  return [...new Set(ids.map(id => id ?? refuse()))]
}

const refuse = (): never => {
  throw errors.badRequest('uploads must be ids of uploads, separated by commas')
}

/** Returns the uploads in this order; throws 409 if one is unknown, incomplete or sent. */
export async function completeUploads(stores: Stores, username: Username, ids: string[]): Promise<Upload[]> {
  if (ids.length === 0) return []
  const rows = new Map((await uploadsWithIds(stores.db, username, ids)).map(row => [row.id, row]))
  const { uploads } = stores.files
  // All of them are checked before the first is fetched from a bucket.
  const complete = await Promise.all(
    ids.map(async id => {
      const upload = rows.get(id)
      if (!upload || upload.sent) throw errors.uploadIncomplete(id)
      if ((await uploads.received(id)) !== upload.size) throw errors.uploadIncomplete(upload.originalName)
      return upload
    }),
  )
  const fetched: Upload[] = []
  try {
    for (const { id, originalName } of complete) {
      const { path, isCopy } = await uploads.whole(id)
      fetched.push({ path, originalName, inParts: !isCopy, isCopy })
    }
    return fetched
  } catch (err) {
    await removeCopies(fetched)
    throw err
  }
}

/** Names of uploads by id, also of sent ones. */
export async function uploadNames(
  stores: Stores,
  username: Username,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await uploadsWithIds(stores.db, username, ids)
  return new Map(rows.map(({ id, originalName }) => [id, originalName]))
}

/** Files that a bucket made for this request; the parts stay until the message is stored. */
export async function removeCopies(uploads: readonly Upload[]): Promise<void> {
  await Promise.all(uploads.map(({ path, isCopy }) => isCopy && rm(path, { force: true })))
}

/** After the message is stored. A crash before this leaves them to the janitor. */
export async function forgetUploads(stores: Stores, username: Username, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await markSent(stores.db, username, ids)
  await Promise.all(ids.map(id => stores.files.uploads.remove(id)))
}
