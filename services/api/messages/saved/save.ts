import { readableMessage } from '#shared/access/readable-message.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { touchOwnLists } from '#shared/notices/own-lists.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import {
  countOpen,
  deleteSaved,
  forgetUnreadable,
  putSaved,
  readReminder,
  type SavedChange,
  trimDone,
  updateSaved,
} from './queries.ts'

const MOST_OPEN = 1_000
const MOST_DONE = 1_000

/** Saves a message for the person alone (interface 11.4). */
export async function saveMessage(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  choice: { remindTs: Seconds | null; note: string | null },
): Promise<void> {
  const { id, deleted } = await readableMessage(stores, viewer, idText)
  if (deleted === 1) throw errors.notFound()
  await inOwnList(stores, viewer, async tx => {
    await checkRoom(tx, stores, viewer, id)
    if (!(await putSaved(tx, viewer, id, choice))) throw errors.notFound()
    await readReminder(tx, viewer, id)
  })
}

export async function changeSaved(
  stores: Stores,
  viewer: Username,
  id: number,
  change: SavedChange,
): Promise<void> {
  await inOwnList(stores, viewer, async tx => {
    if (change.done === false) await checkRoom(tx, stores, viewer, id)
    if (!(await updateSaved(tx, viewer, id, change))) throw errors.notFound()
    if (change.done) await trimDone(tx, viewer, MOST_DONE)
    if (change.done || change.remindTs !== undefined) await readReminder(tx, viewer, id)
  })
}

export async function removeSaved(stores: Stores, viewer: Username, id: number): Promise<void> {
  await inOwnList(stores, viewer, async tx => {
    await deleteSaved(tx, viewer, id)
    await readReminder(tx, viewer, id)
  })
}

async function checkRoom(tx: Db, stores: Stores, viewer: Username, id: number) {
  if ((await countOpen(tx, viewer, id)) < MOST_OPEN) return
  await forgetUnreadable(tx, stores, viewer)
  if ((await countOpen(tx, viewer, id)) >= MOST_OPEN)
    throw errors.coded(409, 'conflict', `At most ${MOST_OPEN} saved messages. Finish some first.`)
}

function inOwnList(stores: Stores, viewer: Username, work: (tx: Db) => Promise<void>): Promise<void> {
  return runTransaction(stores, 'changeSaved', { users: [viewer] }, async tx => {
    if (!(await touchOwnLists(tx, viewer, 'rev'))) throw errors.signedOut()
    await work(tx)
  })
}
