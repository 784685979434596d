import type { CallRecord, Participant, ParticipantState } from '#shared/domain/calls.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface CallRow extends CallRecord {
  call_id: string
  channel: ChannelId
  initiator: Username
  started_ts: Seconds
  answered_ts: Seconds | null
  participants: Participant[]
}

export const CALL_COLUMNS = 'call_id, channel, initiator, state, started_ts, answered_ts'

/** Locks the call until the transaction ends, which serializes its verbs. */
export async function lockCall(tx: Db, callId: string): Promise<CallRow | undefined> {
  return withParticipants(
    tx,
    await tx.query(`select ${CALL_COLUMNS} from calls where call_id = $1 for update`, [callId]),
  )
}

/** The channel's call that is not over, locked. */
export async function lockLivingCall(tx: Db, channel: ChannelId): Promise<CallRow | undefined> {
  return withParticipants(
    tx,
    await tx.query(
      `select ${CALL_COLUMNS} from calls where channel = $1 and state in ('ringing', 'active') for update`,
      [channel],
    ),
  )
}

/** A separate statement after the lock, so that its snapshot includes changes made during the wait. */
async function withParticipants(
  tx: Db,
  { rows: [call] }: { rows: Omit<CallRow, 'participants'>[] },
): Promise<CallRow | undefined> {
  if (!call) return undefined
  const { rows: participants } = await tx.query<Participant>(
    'select username, role, state from call_participants where call_id = $1 order by join_order',
    [call.call_id],
  )
  return { ...call, participants }
}

/** Living calls in which the user is present or pending, in a fixed order, so that lockers cannot deadlock. */
export async function livingCallsOf(tx: Db, username: Username, channel?: ChannelId): Promise<string[]> {
  const { rows } = await tx.query<{ call_id: string }>(
    `select call_id
       from call_participants participant
       join calls call using (call_id)
      where participant.username = $1
        and participant.state in ('pending', 'accepted')
        and call.state in ('ringing', 'active')
        and ($2::text is null or call.channel = $2)
      order by call_id`,
    [username, channel ?? null],
  )
  return rows.map(row => row.call_id)
}

/** Sets a participant's state and its timestamps; inserts the row of a new participant. */
export async function putParticipant(
  tx: Db,
  callId: string,
  username: Username,
  state: ParticipantState,
  now: Seconds,
): Promise<void> {
  await tx.query(
    `insert into call_participants as participant (call_id, username, role, state, invited_ts, seen_ts)
     values ($1, $2, 'participant', $3, $4, $4)
     on conflict (call_id, username) do update
        set state = $3,
            invited_ts = case when $3 = 'pending' then $4 else participant.invited_ts end,
            joined_ts = case when $3 = 'accepted' then $4 else participant.joined_ts end,
            left_ts = case when $3 in ('left', 'rejected') then $4 end,
            seen_ts = $4`,
    [callId, username, state, now],
  )
}

/** Marks the call as answered; the first answer counts. */
export async function activate(tx: Db, callId: string, now: Seconds): Promise<void> {
  await tx.query(
    `update calls
        set state = 'active', answered_ts = coalesce(answered_ts, $2)
      where call_id = $1 and state = 'ringing'`,
    [callId, now],
  )
}

/** Only the current sharer can release. */
export async function releaseScreenshare(tx: Db, callId: string, sharer: Username): Promise<void> {
  await tx.query(`update calls set screenshare_user = '' where call_id = $1 and screenshare_user = $2`, [
    callId,
    sharer,
  ])
}
