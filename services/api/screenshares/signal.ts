import { readersOf } from '#shared/access/readers.ts'
import type { SignalPayload } from '#shared/domain/payloads.ts'
import type { Username } from '#shared/domain/units.ts'
import { Refusal, refuse } from '#shared/runtime/refusals.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inbox, putSignal, type Signal } from '../signalling/signals.ts'
import { noteLife, sharedShareFor, shareFor } from './share-for.ts'

/** Between the sharer and readers of the channel; never between two viewers (decisions, Signals). */
export async function signalInShare(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  signal: Signal | Refusal,
): Promise<void> {
  const share = await inTransaction(stores.pool, async tx => {
    const share = await sharedShareFor(stores, tx, viewer, shareId)
    if (share.state !== 'active') throw refuse.shareOver()
    if (signal instanceof Refusal) throw signal
    const { to } = signal
    const isBetween = (viewer === share.sharer) !== (to === share.sharer)
    if (!isBetween || !(await readersOf({ ...stores, db: tx }, [to], share.channel)).has(to)) {
      throw refuse.accessDenied()
    }
    const refusal = await putSignal(tx, share.share_id, viewer, signal, stores.clock.now())
    if (refusal) throw refusal
    return share
  })
  // After the transaction: this writes the row under the shared lock.
  await noteLife(stores, stores.db, viewer, share)
}

export async function signalsInShare(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  after: unknown,
): Promise<SignalPayload[]> {
  const { share_id } = await shareFor(stores, viewer, shareId)
  return inbox(stores.db, share_id, viewer, after, stores.clock.now())
}
