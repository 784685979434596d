import type { Touched } from '#shared/notices/touched.ts'
import { step } from '#shared/rules/calls.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { stopSharesOf } from '../screenshares/stop.ts'
import { livingCallsOf } from './queries.ts'
import { heldCall, settleStep } from './settle.ts'

/**
 * A person leaves a channel, or everything: they leave its living calls (who is still asked has rejected; a call that
 * keeps fewer than two ends, with its line in the channel) and their screen shares there stop. Without `channel`: all
 * calls and shares of theirs.
 *
 * For whoever ends a membership or an account, inside that transaction:
 *  - *after* the membership or account row is deleted: initiating, inviting and sharing hold that row, so nothing can begin
 *    behind this look;
 *  - *before* own lines are posted or other messages changed: a call is locked before its channel's clock, everywhere.
 *
 * Answers what it has touched: `publish(stores, touched)` of shared/notices/touched.ts after the commit, or have it
 * covered by the own notice, where that names `incoming_calls`, `screenshares`, `messages`, and the users concerned.
 */
export async function leaveCallsOf(
  stores: Stores,
  tx: Db,
  username: Username,
  channel?: ChannelId,
): Promise<Touched[]> {
  const touched: Touched[] = []
  for (const callId of await livingCallsOf(tx, username, channel)) {
    const call = await heldCall(stores, tx, touched, callId)
    const after = call && step(call, 'leave', username)
    if (call && typeof after === 'object') {
      await settleStep(tx, touched, call, username, after, stores.clock.now())
    }
  }
  await stopSharesOf(stores, tx, touched, username, channel)
  return touched
}
