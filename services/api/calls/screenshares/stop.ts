import { deleteSignals } from '#shared/calls/delete-signals.ts'
import { type ChannelId, type Username, uuidFrom } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { endShares, shareById, sharersIn } from './queries.ts'

/** Sharer only; repeating it changes nothing (interface 3.2). */
export async function stopShare(stores: Stores, viewer: Username, idText: unknown): Promise<void> {
  const id = uuidFrom(idText)
  const share = id === undefined ? undefined : await shareById(stores.db, id)
  if (!share) throw errors.shareNotFound()
  if (share.sharer !== viewer) throw errors.accessDenied()
  await runCollectingTransaction(stores, (tx, invalidated) =>
    stop(stores, tx, invalidated, viewer, { shareId: share.share_id }),
  )
}

/** Ends a user's active shares, in one channel or everywhere. */
export function stopSharesOf(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  sharer: Username,
  channel?: ChannelId,
): Promise<void> {
  return stop(stores, tx, invalidated, sharer, { channel })
}

/** Ends all active shares of a channel. */
export async function stopSharesIn(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  channel: ChannelId,
): Promise<void> {
  for (const sharer of await sharersIn(tx, channel)) await stop(stores, tx, invalidated, sharer, { channel })
}

/** Deletes the buffered signals and media. */
async function stop(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  sharer: Username,
  which: { channel?: ChannelId | undefined; shareId?: string },
) {
  for (const share of await endShares(tx, sharer, which, stores.clock.now())) {
    await deleteSignals(tx, share.share_id)
    invalidated.push({ name: 'endShare', channel: share.channel, users: [sharer] })
  }
}
