import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { callLine } from '#shared/domain/calls.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { deleteSignals } from './delete-signals.ts'

interface FinishedCall {
  call_id: string
  channel: ChannelId
  initiator: Username
  answered_ts: Seconds | null
}

/**
 * Ends a call because time has passed or the service starts, once even under concurrency: deletes its signals and media
 * and posts the line in its channel. Adds the parts it changes to `invalidated`. Shared, because the api, the
 * janitor and the service start end calls.
 */
export async function finishCall(
  tx: Db,
  invalidated: Invalidated[],
  callId: string,
  state: 'ended' | 'rejected',
  now: Seconds,
): Promise<boolean> {
  const call = await closeCall(tx, callId, state, now)
  if (!call) return false
  if (state === 'rejected') await rejectPending(tx, callId, now)
  await deleteSignals(tx, callId)
  const guests = await guestsOf(tx, call)
  const { opensFor, readBy } = await peopleOf(tx, call)
  await insertSystemMessage(tx, call.channel, callLine(call, now), { opensFor, readBy })
  invalidated.push({
    name: 'endCall',
    channel: call.channel,
    users: guests,
    readers: true,
  })
  return true
}

async function closeCall(tx: Db, callId: string, state: 'ended' | 'rejected', now: Seconds) {
  const { rows } = await tx.query<FinishedCall>(
    `update calls
        set state = $2, ended_ts = $3, screenshare_user = ''
      where call_id = $1 and state in ('ringing', 'active')
     returning call_id, channel, initiator, answered_ts`,
    [callId, state, now],
  )
  return rows[0]
}

async function rejectPending(tx: Db, callId: string, now: Seconds) {
  await tx.query(
    `update call_participants
        set state = 'rejected', left_ts = $2
      where call_id = $1 and state = 'pending'`,
    [callId, now],
  )
}

/** Finds the participants, present or former, who may not read the call's channel: its readers are not among them. */
export async function guestsOf(
  tx: Db,
  { call_id, channel }: Pick<FinishedCall, 'call_id' | 'channel'>,
): Promise<Username[]> {
  const parsed = parseChannelId(channel)
  return usernames(
    tx,
    `select username
       from call_participants participant
      where call_id = $1
        and username <> all ($2::text[])
        and not exists (select
                          from private_channel_members
                         where channel_id = $3 and private_channel_members.username = participant.username)`,
    [
      call_id,
      parsed?.kind === 'dm' ? parsed.participants : [],
      parsed?.kind === 'private' ? parsed.privateId : 0,
    ],
  )
}

/** Finds the people whose DM the line opens, and the readers who took part (interface 4.8). */
async function peopleOf(tx: Db, call: FinishedCall) {
  const parsed = parseChannelId(call.channel)
  const opensFor =
    parsed?.kind === 'dm'
      ? await usernames(tx, 'select username from users where username = any($1)', [parsed.participants])
      : []
  const readBy = await usernames(
    tx,
    `select username
       from call_participants participant
       join users using (username)
      where call_id = $1
        and joined_ts is not null
        and (username = any($2)
             or exists (select from private_channel_members member
                         where member.channel_id = $3 and member.username = participant.username))`,
    [
      call.call_id,
      parsed?.kind === 'dm' ? parsed.participants : [],
      parsed?.kind === 'private' ? parsed.privateId : 0,
    ],
  )
  return { opensFor, readBy }
}

async function usernames(tx: Db, sql: string, values: unknown[]): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(sql, values)
  return rows.map(row => row.username)
}
