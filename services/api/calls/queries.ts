import type { CallRecord, CallState, Participant, ParticipantState } from '#shared/domain/calls.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { CallStatePayload } from '#shared/domain/payloads.ts'
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

const CALL_COLUMNS = 'call_id, channel, initiator, state, started_ts, answered_ts'

/** Locks the call until the transaction ends, which serializes its verbs. */
export async function holdCall(tx: Db, callId: string): Promise<CallRow | undefined> {
  return withParticipants(
    tx,
    await tx.query(`select ${CALL_COLUMNS} from calls where call_id = $1 for update`, [callId]),
  )
}

/** Without a lock: only a renaming gives the call of a DM another channel. */
export async function channelOfCall(db: Db, callId: string): Promise<ChannelId | undefined> {
  const { rows } = await db.query<{ channel: ChannelId }>('select channel from calls where call_id = $1', [
    callId,
  ])
  return rows[0]?.channel
}

/** The channel's call that is not over, locked. */
export async function holdLivingCall(tx: Db, channel: ChannelId): Promise<CallRow | undefined> {
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

/** Starts to ring; false when another call in the channel was first. */
export async function insertCall(
  tx: Db,
  call: {
    call_id: string
    channel: ChannelId
    initiator: Username
    others: Username[]
    video: boolean
    now: Seconds
  },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with call as (
       insert into calls (call_id, channel, initiator, state, started_ts, video)
       values ($1, $2, $3, 'ringing', $5, $6)
       on conflict (channel) where state in ('ringing', 'active') do nothing
       returning call_id
     )
     insert into call_participants (call_id, username, role, state, invited_ts, joined_ts, seen_ts)
     select call_id, username,
            case when place = 1 then 'initiator' else 'participant' end,
            case when place = 1 then 'accepted' else 'pending' end,
            $5, case when place = 1 then $5 end, $5
       from call
      cross join unnest(array[$3] || $4::text[]) with ordinality as member (username, place)
      order by place`,
    [call.call_id, call.channel, call.initiator, call.others, call.now, call.video],
  )
  return rowCount !== 0
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

export async function claimScreenshare(tx: Db, callId: string, sharer: Username): Promise<void> {
  await tx.query('update calls set screenshare_user = $2 where call_id = $1', [callId, sharer])
}

/** Only the current sharer can release. */
export async function releaseScreenshare(tx: Db, callId: string, sharer: Username): Promise<void> {
  await tx.query(`update calls set screenshare_user = '' where call_id = $1 and screenshare_user = $2`, [
    callId,
    sharer,
  ])
}

/** Minimum interval between two writes of a heartbeat; the janitor's threshold is minutes. */
const HEARTBEAT: Seconds = 10

export async function noteSeen(db: Db, callId: string, username: Username, now: Seconds): Promise<void> {
  await db.query(
    `update call_participants
        set seen_ts = $3
      where call_id = $1 and username = $2 and state = 'accepted' and seen_ts < $3::double precision - $4`,
    [callId, username, now, HEARTBEAT],
  )
}

/** The call and the viewer's state in it, without a lock. */
export async function findParticipation(db: Db, callId: string, viewer: Username) {
  const { rows } = await db.query<{
    call_id: string
    state: CallState
    own_state: ParticipantState | null
  }>(
    `select call.call_id, call.state, participant.state as own_state
       from calls call
       left join call_participants participant
         on participant.call_id = call.call_id and participant.username = $2
      where call.call_id = $1`,
    [callId, viewer],
  )
  return rows[0]
}

/** The fields that signalling needs, under a shared lock: excludes the call's end, but not other signals. */
export async function shareCallFor(
  tx: Db,
  callId: string,
  people: (Username | undefined)[],
): Promise<Pick<CallRow, 'channel' | 'state' | 'started_ts' | 'participants'> | undefined> {
  const { rows } = await tx.query<Pick<CallRow, 'channel' | 'state' | 'started_ts'>>(
    'select channel, state, started_ts from calls where call_id = $1 for share',
    [callId],
  )
  if (!rows[0]) return undefined
  const { rows: participants } = await tx.query<Participant>(
    'select username, role, state from call_participants where call_id = $1 and username = any($2)',
    [callId, people.filter(name => name !== undefined)],
  )
  return { ...rows[0], participants }
}

/** The call's state, under a shared lock: excludes the call's end, but not other senders. */
export async function shareCall(tx: Db, callId: string): Promise<CallState | undefined> {
  const { rows } = await tx.query<{ state: CallState }>(
    'select state from calls where call_id = $1 for share',
    [callId],
  )
  return rows[0]?.state
}

/** Locks a participant's row, which serializes their sends. */
export async function holdParticipant(
  tx: Db,
  callId: string,
  username: Username,
): Promise<ParticipantState | undefined> {
  const { rows } = await tx.query<{ state: ParticipantState }>(
    'select state from call_participants where call_id = $1 and username = $2 for update',
    [callId, username],
  )
  return rows[0]?.state
}

/** Decisions, State. */
export async function callState(db: Db, callId: string): Promise<CallStatePayload | undefined> {
  const { rows } = await db.query<CallStatePayload>(
    `select ${CALL_COLUMNS}, ended_ts, screenshare_user,
            (select json_agg(json_build_object(
                      'username', username, 'role', role, 'state', participant.state,
                      'joined_ts', joined_ts, 'left_ts', left_ts, 'invited_ts', invited_ts) order by join_order)
               from call_participants participant
              where participant.call_id = call.call_id) as participants
       from calls call
      where call_id = $1`,
    [callId],
  )
  return rows[0]
}

/** True for a member of the DM or private channel who has an account; locks the row until the transaction ends. */
export async function holdMember(tx: Db, channel: ChannelId, username: Username): Promise<boolean> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'dm') {
    return parsed.participants.includes(username) && (await holdAccounts(tx, [username])).length > 0
  }
  if (parsed?.kind !== 'private') return false
  const { rowCount } = await tx.query(
    'select from private_channel_members where channel_id = $1 and username = $2 for key share',
    [parsed.privateId, username],
  )
  return rowCount === 1
}

/** True when a private channel has more than `most` members. */
export async function hasMoreMembersThan(tx: Db, channel: ChannelId, most: number): Promise<boolean> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind !== 'private') return false
  const { rowCount } = await tx.query('select from private_channel_members where channel_id = $1 limit $2', [
    parsed.privateId,
    most + 1,
  ])
  return rowCount !== null && rowCount > most
}

/**
 * The channel's active members, locked until the transaction ends: a member who leaves meanwhile then finds
 * and leaves the new call too. Locked in the order of names; returned in order of joining, for a DM by name.
 */
export async function holdMembers(tx: Db, channel: ChannelId): Promise<Username[]> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'dm') return holdAccounts(tx, parsed.participants)
  if (parsed?.kind !== 'private') return []
  const { rows } = await tx.query<{ username: Username; place: number }>(
    `select username, join_order as place
       from private_channel_members member
       join users using (username)
      where channel_id = $1 and state = 'active'
      order by username
        for key share of member`,
    [parsed.privateId],
  )
  return rows.sort((a, b) => a.place - b.place).map(row => row.username)
}

/** The names among these that are active accounts, locked until the transaction ends. */
export async function holdAccounts(tx: Db, names: Username[]): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `select username from users where username = any($1) and state = 'active' order by username for key share`,
    [names],
  )
  return rows.map(row => row.username)
}

/** True once the channel has had a message. */
export async function isOpened(tx: Db, channel: ChannelId): Promise<boolean> {
  const { rowCount } = await tx.query('select from channels where id = $1', [channel])
  return rowCount === 1
}
