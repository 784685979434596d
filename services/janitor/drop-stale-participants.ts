import { finishCall, guestsOf } from '#shared/calls/finish-call.ts'
import {
  type CallRecord,
  isLiving,
  type Participant,
  type ParticipantState,
  step,
} from '#shared/domain/calls.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Reading the state is the heartbeat of a call (decisions, Calls). */
const STALE_AFTER: Seconds = 90

/**
 * Removes participants who have not read the state of their call for 90 s, and deleted accounts. A call with fewer than
 * two participants ends.
 */
export async function dropStaleParticipants(stores: Stores): Promise<number> {
  const seenBefore = stores.clock.now() - STALE_AFTER
  let left = 0
  for (const callId of await callsWithStaleParticipants(stores.db, seenBefore)) {
    left += await runCollectingTransaction(stores, (tx, invalidated) =>
      leaveCall(tx, invalidated, callId, seenBefore, stores.clock.now()),
    )
  }
  return left
}

/** $1 is the oldest heartbeat that still counts. */
const IS_STALE = `(
  participant.state = 'accepted' and participant.seen_ts < $1
  or participant.state in ('pending', 'accepted')
     and not exists (select from users where users.username = participant.username and users.state = 'active'))`

async function callsWithStaleParticipants(db: Db, seenBefore: Seconds): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id
       from calls call
      where state in ('ringing', 'active')
        and exists (select
                      from call_participants participant
                     where participant.call_id = call.call_id
                       and ${IS_STALE})
      order by call_id`,
    [seenBefore],
  )
  return rows.map(row => row.call_id)
}

async function leaveCall(
  tx: Db,
  invalidated: Invalidated[],
  callId: string,
  seenBefore: Seconds,
  now: Seconds,
) {
  const call = await holdCall(tx, callId)
  if (!call) return 0
  let left = 0
  let { state, participants } = call
  for (const { username } of participants) {
    const after = isLiving(state) && step({ state, participants }, 'leave', username)
    if (!after || typeof after !== 'object') continue
    if (!(await dropIfStale(tx, callId, username, after.participant, seenBefore, now))) continue
    left++
    state = after.call
    participants = participants.map(one =>
      one.username === username ? { ...one, state: after.participant } : one,
    )
  }
  if (left === 0) return 0
  if (isLiving(state)) {
    const users = await guestsOf(tx, { call_id: callId, channel: call.channel })
    invalidated.push({ name: 'answerCall', channel: call.channel, users, readers: true })
  } else {
    await finishCall(tx, invalidated, callId, state === 'rejected' ? 'rejected' : 'ended', now)
  }
  return left
}

/** Locks the call and returns it with its participants; undefined if it has ended. */
async function holdCall(tx: Db, callId: string): Promise<(CallRecord & { channel: ChannelId }) | undefined> {
  const { rows } = await tx.query<{ channel: ChannelId; state: CallRecord['state'] }>(
    `select channel, state from calls where call_id = $1 and state in ('ringing', 'active') for update`,
    [callId],
  )
  if (!rows[0]) return undefined
  const { rows: participants } = await tx.query<Participant>(
    'select username, role, state from call_participants where call_id = $1 order by join_order',
    [callId],
  )
  return { ...rows[0], participants }
}

/** Sets the participant's state and removes their share and signals; false if they are not away. */
async function dropIfStale(
  tx: Db,
  callId: string,
  username: Username,
  state: ParticipantState,
  seenBefore: Seconds,
  now: Seconds,
) {
  const { rowCount } = await tx.query(
    `with away as (
       update call_participants participant
          set state = $5, left_ts = $4
        where call_id = $2 and username = $3 and ${IS_STALE}
       returning call_id, username
     ), released as (
       update calls call
          set screenshare_user = ''
         from away
        where call.call_id = away.call_id and call.screenshare_user = away.username
     ), unsignalled as (
       delete from signals using away
        where session_id = away.call_id and away.username in (sender, recipient)
     ), unheard as (
       delete from media_chunks using away
        where session_id = away.call_id and sender = away.username
     )
     select from away`,
    [seenBefore, callId, username, now, state],
  )
  return rowCount === 1
}
