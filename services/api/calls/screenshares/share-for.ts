import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { type Seconds, type Username, uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lockShare, noteSharing, type ShareRow, shareById, shareShare } from './queries.ts'

/** Minimum interval between two writes of a heartbeat. */
const SIGN_OF_LIFE: Seconds = 10

/** The share, for readers of its channel; checked at each request, so that leaving takes effect at once. */
export async function shareFor(stores: Stores, viewer: Username, idText: unknown): Promise<ShareRow> {
  const id = uuidFrom(idText)
  return readable(stores, stores.db, viewer, id === undefined ? undefined : await shareById(stores.db, id))
}

/** The same, locked until the transaction ends. */
export async function lockedShareFor(
  stores: Stores,
  tx: Db,
  viewer: Username,
  idText: unknown,
): Promise<ShareRow> {
  const id = uuidFrom(idText)
  return readable(stores, tx, viewer, id === undefined ? undefined : await lockShare(tx, id))
}

/** The same, under a shared lock until the transaction ends: excludes the share's end only. */
export async function sharedShareFor(
  stores: Stores,
  tx: Db,
  viewer: Username,
  idText: unknown,
): Promise<ShareRow> {
  const id = uuidFrom(idText)
  const share = id === undefined ? undefined : await shareShare(tx, id)
  return checkReadable(stores, tx, viewer, share)
}

async function readable(stores: Stores, db: Db, viewer: Username, share: ShareRow | undefined) {
  const readableShare = await checkReadable(stores, db, viewer, share)
  await noteLife(stores, db, viewer, readableShare)
  return readableShare
}

async function checkReadable(stores: Stores, db: Db, viewer: Username, share: ShareRow | undefined) {
  if (!share) throw errors.shareNotFound()
  if (!(await findReadableChannel({ ...stores, db }, viewer, share.channel))) throw errors.accessDenied()
  return share
}

/** The sharer's requests are the heartbeat of the share; the janitor's threshold is minutes. */
export async function noteLife(stores: Stores, db: Db, viewer: Username, share: ShareRow): Promise<void> {
  const now = stores.clock.now()
  if (viewer === share.sharer && share.state === 'active' && share.seen_ts < now - SIGN_OF_LIFE) {
    await noteSharing(db, share.share_id, now)
  }
}
