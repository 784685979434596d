import { type Touched, writeTouching } from '#shared/notices/touched.ts'
import { step } from '#shared/rules/calls.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { stopSharesOf } from '../screenshares/stop.ts'
import { livingCallsOf } from './queries.ts'
import { heldCall, settleStep } from './settle.ts'

/**
 * Takes a person out of the living calls of a channel, and stops their screen shares there: who is still asked has
 * rejected; a call that keeps fewer than two ends, with its line in the channel. For whoever ends a membership, inside that
 * transaction:
 *  - *after* the membership row is deleted: initiating, inviting and sharing hold that row, so nothing can begin
 *    behind this look;
 *  - *before* own lines are posted or other messages changed: a call is locked before its channel's clock, everywhere.
 *
 * Returns what it has touched: `publish(stores, touched)` of shared/notices/touched.ts after the commit, or have it
 * covered by the own notice, where that names `incoming_calls`, `screenshares`, `messages`, and the users concerned.
 */
export async function leaveCallsOf(
  stores: Stores,
  tx: Db,
  username: Username,
  channel: ChannelId,
): Promise<Touched[]> {
  const touched: Touched[] = []
  for (const callId of await livingCallsOf(tx, username, channel)) {
    await leaveCall(stores, tx, touched, username, callId)
  }
  await stopSharesOf(stores, tx, touched, username, channel)
  return touched
}

/** The same in all channels, for a deleted account: a transaction a call, so that no two channels are locked at once. */
export async function leaveAllCallsOf(stores: Stores, username: Username): Promise<void> {
  for (const callId of await livingCallsOf(stores.db, username)) {
    await writeTouching(stores, (tx, touched) => leaveCall(stores, tx, touched, username, callId))
  }
  await writeTouching(stores, (tx, touched) => stopSharesOf(stores, tx, touched, username))
}

async function leaveCall(stores: Stores, tx: Db, touched: Touched[], username: Username, callId: string) {
  const call = await heldCall(stores, tx, touched, callId)
  const after = call && step(call, 'leave', username)
  if (call && typeof after === 'object') {
    await settleStep(tx, touched, call, username, after, stores.clock.now())
  }
}
