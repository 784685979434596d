import { lockNames } from '#shared/access/account-locks.ts'
import { CALL_COLUMNS, type CallRow } from '#shared/calls/call-rows.ts'
import type { CallState, Participant, ParticipantState } from '#shared/domain/calls.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { CallStatePayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Without a lock: only a renaming gives the call of a DM another channel. */
export async function channelOfCall(db: Db, callId: string): Promise<ChannelId | undefined> {
  const { rows } = await db.query<{ channel: ChannelId }>('select channel from calls where call_id = $1', [
    callId,
  ])
  return rows[0]?.channel
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

export async function claimScreenshare(tx: Db, callId: string, sharer: Username): Promise<void> {
  await tx.query('update calls set screenshare_user = $2 where call_id = $1', [callId, sharer])
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
export async function lockParticipant(
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

/** Interface 4.8. */
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
export async function lockMember(tx: Db, channel: ChannelId, username: Username): Promise<boolean> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'dm') {
    return parsed.participants.includes(username) && (await lockNames(tx, [username])).length > 0
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
 * The channel's active people and the caller, locked until the transaction ends: a member who leaves meanwhile then finds
 * and leaves the new call too. Locked in the order of names; returned in order of joining, for a DM by name.
 */
export async function lockMembers(tx: Db, channel: ChannelId, caller: Username): Promise<Username[]> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'dm') return lockNames(tx, parsed.participants)
  if (parsed?.kind !== 'private') return []
  const { rows } = await tx.query<{ username: Username; place: number }>(
    `select username, join_order as place
       from private_channel_members member
       join users using (username)
      where channel_id = $1 and state = 'active' and (kind = 'person' or username = $2)
      order by username
        for key share of member`,
    [parsed.privateId, caller],
  )
  return rows.sort((a, b) => a.place - b.place).map(row => row.username)
}

/** True once the channel has had a message. */
export async function isOpened(tx: Db, channel: ChannelId): Promise<boolean> {
  const { rowCount } = await tx.query('select from channels where id = $1', [channel])
  return rowCount === 1
}
