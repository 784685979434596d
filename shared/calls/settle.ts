import { hasRungOut, isLiving, type Step } from '#shared/domain/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { activate, type CallRow, lockCall, putParticipant, releaseScreenshare } from './call-rows.ts'
import { deleteSignalsOf } from './delete-signals.ts'
import { finishCall, guestsOf } from './finish-call.ts'

/** Locks the call, and ends it first if its ring has expired. */
export async function lockSettledCall(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  callId: string,
): Promise<CallRow | undefined> {
  const call = await lockCall(tx, callId)
  return call && settleRing(stores, tx, invalidated, call)
}

/** Ends an unanswered, expired ring (interface 3.1); requires the call's lock. */
export async function settleRing(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  call: CallRow,
): Promise<CallRow> {
  const now = stores.clock.now()
  if (!hasRungOut(call, now)) return call
  await finishCall(tx, invalidated, call.call_id, 'rejected', now)
  const participants = call.participants.map(participant =>
    participant.state === 'pending' ? { ...participant, state: 'rejected' as const } : participant,
  )
  return { ...call, state: 'rejected', participants }
}

/** Writes the effect of a verb on a locked call and one participant. */
export async function settleStep(
  tx: Db,
  invalidated: Invalidated[],
  call: CallRow,
  username: Username,
  after: Step,
  now: Seconds,
): Promise<CallRow> {
  const before = call.participants.find(participant => participant.username === username)
  const isSame = before?.state === after.participant && call.state === after.call
  // A repeated invitation restarts the ring.
  if (isSame && after.participant !== 'pending') return call

  await putParticipant(tx, call.call_id, username, after.participant, now)
  const role = before?.role ?? 'participant'
  const others = call.participants.filter(participant => participant !== before)
  const changed: CallRow = {
    ...call,
    state: after.call,
    participants: [...others, { username, role, state: after.participant }],
  }
  if (!isLiving(after.call)) {
    await finishCall(tx, invalidated, call.call_id, after.call === 'rejected' ? 'rejected' : 'ended', now)
    return changed
  }
  if (call.state === 'ringing' && after.call === 'active') await activate(tx, call.call_id, now)
  invalidated.push({
    name: 'answerCall',
    channel: call.channel,
    users: await guestsOf(tx, call),
    readers: true,
  })
  if (after.participant === 'left' || after.participant === 'rejected') {
    await releaseScreenshare(tx, call.call_id, username)
    await deleteSignalsOf(tx, call.call_id, username)
  }
  return changed
}
