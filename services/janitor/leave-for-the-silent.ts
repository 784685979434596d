import { finishCall } from '#shared/notices/finish-call.ts'
import { type Touched, writeTouching } from '#shared/notices/touched.ts'
import { type Call, isLiving, type Participant, step } from '#shared/rules/calls.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Reading the state is the heartbeat of a call (decisions, Calls). */
const SILENT_AFTER: Seconds = 90

/** Participants who have not read the state of their call for long have left; a call of fewer than two is over. */
export async function leaveForTheSilent(stores: Stores): Promise<number> {
  const seenBefore = stores.clock.now() - SILENT_AFTER
  let left = 0
  for (const callId of await callsWithSilence(stores.db, seenBefore)) {
    left += await writeTouching(stores, (tx, touched) =>
      leaveCall(tx, touched, callId, seenBefore, stores.clock.now()),
    )
  }
  return left
}

async function callsWithSilence(db: Db, seenBefore: Seconds): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id
       from calls call
      where state in ('ringing', 'active')
        and exists (select
                      from call_participants participant
                     where participant.call_id = call.call_id
                       and participant.state = 'accepted'
                       and seen_ts < $1)
      order by call_id`,
    [seenBefore],
  )
  return rows.map(row => row.call_id)
}

async function leaveCall(tx: Db, touched: Touched[], callId: string, seenBefore: Seconds, now: Seconds) {
  const call = await holdCall(tx, callId)
  if (!call) return 0
  let left = 0
  let { state, participants } = call
  for (const { username } of participants) {
    const after = isLiving(state) && step({ state, participants }, 'leave', username)
    if (!after || typeof after !== 'object') continue
    if (!(await putSilentLeft(tx, callId, username, seenBefore, now))) continue
    left++
    state = after.call
    participants = participants.map(one => (one.username === username ? { ...one, state: 'left' } : one))
    touched.push({ name: 'answerCall', channel: call.channel, users: [username] })
  }
  if (left > 0 && !isLiving(state)) await finishCall(tx, touched, callId, 'ended', now)
  return left
}

/** The call, held against its verbs, with who is in it; undefined when it is over. */
async function holdCall(tx: Db, callId: string): Promise<(Call & { channel: ChannelId }) | undefined> {
  const { rows } = await tx.query<{ channel: ChannelId; state: Call['state'] }>(
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

/** Left, with the share and the signals that were theirs; false when they are not silent, or were not in the call. */
async function putSilentLeft(tx: Db, callId: string, username: Username, seenBefore: Seconds, now: Seconds) {
  const { rowCount } = await tx.query(
    `with silent as (
       update call_participants
          set state = 'left', left_ts = $4
        where call_id = $1 and username = $2 and state = 'accepted' and seen_ts < $3
       returning call_id, username
     ), released as (
       update calls call
          set screenshare_user = ''
         from silent
        where call.call_id = silent.call_id and call.screenshare_user = silent.username
     ), unsignalled as (
       delete from signals using silent
        where session_id = silent.call_id and silent.username in (sender, recipient)
     ), unheard as (
       delete from media_chunks using silent
        where session_id = silent.call_id and sender = silent.username
     )
     select from silent`,
    [callId, username, seenBefore, now],
  )
  return rowCount === 1
}
