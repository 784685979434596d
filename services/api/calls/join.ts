import type { CallRow } from '#shared/calls/call-rows.ts'
import { lockSettledCall, settleStep } from '#shared/calls/settle.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { MOST_PARTICIPANTS, step } from '#shared/domain/calls.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { orThrow } from './act.ts'
import { mayRead, stateIn } from './call-for.ts'
import { inQueueOfCall } from './in-queue-of-call.ts'
import { channelOfCall, lockMember } from './queries.ts'

/**
 * Joins the living call of the viewer's channel without an invitation (ours): for members who left, declined or were
 * added after its start. Guests from outside the channel must accept, or be invited again.
 */
export async function join(stores: Stores, viewer: Username, callId: unknown): Promise<CallRow> {
  return orThrow(
    await inQueueOfCall(stores, callId, () =>
      runCollectingTransaction(stores, (tx, invalidated) =>
        comeIn(stores, tx, invalidated, viewer, uuidFrom(callId)),
      ),
    ),
  )
}

async function comeIn(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  viewer: Username,
  id: string | undefined,
): Promise<CallRow | HttpError> {
  const channel = id === undefined ? undefined : await channelOfCall(tx, id)
  if (id === undefined || channel === undefined) throw errors.callNotFound()
  if (!(await mayRead(stores, tx, viewer, channel))) throw errors.accessDenied()
  // Before the call: leaving the channel locks the two in this order, and then leaves its call too.
  if (!(await lockMember(tx, channel, viewer))) throw errors.accessDenied()
  const call = await lockSettledCall(stores, tx, invalidated, id)
  if (!call) throw errors.callNotFound()
  const after = step(call, 'join', viewer)
  if (after === 'over') return errors.callOver()
  if (after === 'not now') return errors.doesNotRing()
  if (stateIn(call, viewer) === undefined && call.participants.length >= MOST_PARTICIPANTS) {
    return errors.callFull(MOST_PARTICIPANTS)
  }
  if (!(await lockChannel(tx, call.channel))) return errors.archivedChannel()
  return settleStep(tx, invalidated, call, viewer, after, stores.clock.now())
}
