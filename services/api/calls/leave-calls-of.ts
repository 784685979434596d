import { livingCallsOf } from '#shared/calls/call-rows.ts'
import { lockSettledCall, settleStep } from '#shared/calls/settle.ts'
import { step } from '#shared/domain/calls.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inQueueOfCall } from './in-queue-of-call.ts'
import { stopSharesOf } from './screenshares/stop.ts'

/**
 * Takes a user out of the living calls of a channel and stops their screen shares there: a pending user has rejected; a
 * call with fewer than two left ends, with its line in the channel. Runs inside the transaction that ends a membership,
 *  - *after* the membership row is deleted: initiating, inviting and sharing lock that row, so nothing can begin
 *    behind this query;
 *  - *before* it posts its own lines or changes messages: a call is locked before its channel's clock, everywhere.
 *
 * Returns the invalidated collections: call `publishInvalidated` (shared/notices/invalidated.ts) after the commit, or
 * cover them by another notice that names `incoming_calls`, `screenshares`, `messages`, and the users concerned.
 */
export async function leaveCallsOf(
  stores: Stores,
  tx: Db,
  username: Username,
  channel: ChannelId,
): Promise<Invalidated[]> {
  const invalidated: Invalidated[] = []
  for (const callId of await livingCallsOf(tx, username, channel)) {
    await leaveCall(stores, tx, invalidated, username, callId)
  }
  await stopSharesOf(stores, tx, invalidated, username, channel)
  return invalidated
}

/**
 * The same in all channels, for a deleted account: one transaction per call, so that no two channels are locked at
 * once.
 */
export async function leaveAllCallsOf(stores: Stores, username: Username): Promise<void> {
  for (const callId of await livingCallsOf(stores.db, username)) {
    await inQueueOfCall(stores, callId, () =>
      runCollectingTransaction(stores, (tx, invalidated) =>
        leaveCall(stores, tx, invalidated, username, callId),
      ),
    )
  }
  await runCollectingTransaction(stores, (tx, invalidated) => stopSharesOf(stores, tx, invalidated, username))
}

async function leaveCall(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  username: Username,
  callId: string,
) {
  const call = await lockSettledCall(stores, tx, invalidated, callId)
  const after = call && step(call, 'leave', username)
  if (call && typeof after === 'object') {
    await settleStep(tx, invalidated, call, username, after, stores.clock.now())
  }
}
