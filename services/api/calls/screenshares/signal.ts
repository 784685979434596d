import { readersOf } from '#shared/access/readers.ts'
import type { SignalPayload } from '#shared/domain/payloads/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inbox, putSignal, type Signal } from '../signalling/signals.ts'
import { noteLife, sharedShareFor, shareFor } from './share-for.ts'

/** Between the sharer and readers of the channel; never between two viewers (interface 4.8). */
export async function signalInShare(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  signal: Signal | HttpError,
): Promise<void> {
  const share = await inTransaction(stores.pool, async tx => {
    const share = await sharedShareFor(stores, tx, viewer, shareId)
    if (share.state !== 'active') throw errors.shareOver()
    if (signal instanceof HttpError) throw signal
    const { to } = signal
    const isBetween = (viewer === share.sharer) !== (to === share.sharer)
    if (!isBetween || !(await readersOf({ ...stores, db: tx }, [to], share.channel)).has(to)) {
      throw errors.accessDenied()
    }
    await putSignal(tx, share.share_id, viewer, signal, stores.clock.now())
    return share
  })
  // After the transaction: this writes the row under the shared lock.
  await noteLife(stores, stores.db, viewer, share)
}

export async function signalsInShare(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  after: number,
): Promise<SignalPayload[]> {
  const { share_id } = await shareFor(stores, viewer, shareId)
  return inbox(stores.db, share_id, viewer, after, stores.clock.now())
}
