import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { type Seconds, type Username, uuidFrom } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { holdShare, noteSharing, type ShareRow, shareById, shareShare } from './queries.ts'

/** How often a sign of life is worth a write. */
const SIGN_OF_LIFE: Seconds = 10

/** A share, for whoever can read its channel now: asked at each request, so that who has left sees no more of it. */
export async function shareFor(stores: Stores, viewer: Username, idText: unknown): Promise<ShareRow> {
  const id = uuidFrom(idText)
  return readable(stores, stores.db, viewer, id === undefined ? undefined : await shareById(stores.db, id))
}

/** The same, held until the transaction ends. */
export async function heldShareFor(
  stores: Stores,
  tx: Db,
  viewer: Username,
  idText: unknown,
): Promise<ShareRow> {
  const id = uuidFrom(idText)
  return readable(stores, tx, viewer, id === undefined ? undefined : await holdShare(tx, id))
}

/** The same, held against its end until the transaction ends, but not against others who do the same. */
export async function sharedShareFor(
  stores: Stores,
  tx: Db,
  viewer: Username,
  idText: unknown,
): Promise<ShareRow> {
  const id = uuidFrom(idText)
  const share = id === undefined ? undefined : await shareShare(tx, id)
  return refuseUnreadable(stores, tx, viewer, share)
}

async function readable(stores: Stores, db: Db, viewer: Username, share: ShareRow | undefined) {
  const found = await refuseUnreadable(stores, db, viewer, share)
  await noteLife(stores, db, viewer, found)
  return found
}

async function refuseUnreadable(stores: Stores, db: Db, viewer: Username, share: ShareRow | undefined) {
  if (!share) throw refuse.shareNotFound()
  if (!(await findReadableChannel({ ...stores, db }, viewer, share.channel))) throw refuse.accessDenied()
  return share
}

/** Whoever shares shows with what they ask that they still do; the janitor counts in minutes. */
export async function noteLife(stores: Stores, db: Db, viewer: Username, share: ShareRow): Promise<void> {
  const now = stores.clock.now()
  if (viewer === share.sharer && share.state === 'active' && share.seen_ts < now - SIGN_OF_LIFE) {
    await noteSharing(db, share.share_id, now)
  }
}
