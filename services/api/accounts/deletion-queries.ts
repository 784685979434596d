import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import { DELETED_SENDER } from '#shared/rules/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A message and the channel whose clock it changes with. */
export interface MessageRef {
  id: number
  channel: ChannelId
}

/**
 * Presence and reset tokens go with it. Under the password that was verified; undefined when the account is gone, or has
 * another one.
 */
export async function deleteAccountRow(
  tx: Db,
  username: Username,
  passwordHash: string,
): Promise<{ avatar_file: string | null } | undefined> {
  const { rows } = await tx.query<{ avatar_file: string | null }>(
    'delete from users where username = $1 and password_hash = $2 returning avatar_file',
    [username, passwordHash],
  )
  return rows[0]
}

export async function keepNameTaken(tx: Db, username: Username, now: Seconds): Promise<void> {
  await tx.query('insert into deleted_names (username_key, deleted_ts) values (lower($1), $2)', [
    username,
    now,
  ])
}

/** Private channels by rising id, the order in which whoever ends several memberships does so. */
export async function holdMemberships(tx: Db, username: Username): Promise<ChannelId[]> {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `select 'private:' || channel_id as channel
       from private_channel_members
      where username = $1
      order by channel_id
        for update`,
    [username],
  )
  return rows.map(row => row.channel)
}

/** The channels of the living calls that somebody is in or asked into: a call is held before its channel's clock. */
export async function holdCallsOf(tx: Db, username: Username): Promise<ChannelId[]> {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `select call.channel
       from call_participants participant
       join calls call using (call_id)
      where participant.username = $1
        and participant.state in ('pending', 'accepted')
        and call.state in ('ringing', 'active')
      order by call.call_id
        for update of call`,
    [username],
  )
  return rows.map(row => row.channel)
}

/** The clocks of these channels, in one order for everybody who holds several. */
export async function holdChannels(tx: Db, channels: ChannelId[]): Promise<void> {
  await tx.query('select from channels where id = any($1) order by id for no key update', [channels])
}

/** All that somebody has sent: the living by one index, the deleted by the other. */
export async function messagesBy(tx: Db, username: Username): Promise<MessageRef[]> {
  const { rows } = await tx.query<MessageRef>(
    `select id, channel from messages where lower(sender) = lower($1) and deleted = 0 and sender = $1
     union all
     select id, channel from messages where deleted = 1 and sender = $1`,
    [username],
  )
  return rows
}

/** The messages that somebody has reacted to. */
export async function reactionsBy(tx: Db, username: Username): Promise<MessageRef[]> {
  const { rows } = await tx.query<MessageRef>(
    `select id, channel
       from messages
      where id in (select message_id from reactions where username = $1)`,
    [username],
  )
  return rows
}

/** The next times of each channel, one for each of `changed (id, channel, place, count)`; its clocks are held. */
const TICKS = `
  tick as (
    update channels channel
       set clock_us = greatest(
             (extract(epoch from clock_timestamp()) * 1000000)::bigint + counted.count - 1,
             channel.clock_us + counted.count)
      from (select distinct channel, count from changed) counted
     where channel.id = counted.channel
    returning channel.id as channel, clock_us - counted.count as before_us
  ), ticked as (
    select changed.id, (tick.before_us + changed.place) / 1000000::double precision as ts
      from changed
      join tick using (channel)
  )`

/** A reaction that goes is a change of its message, at a time of its own: who follows the channel sees each. */
export async function takeReactionsBack(tx: Db, username: Username, ids: number[]): Promise<void> {
  await tx.query(
    `with taken as (
       delete from reactions where message_id = any($2) and username = $1
     ), changed as (
       select id, channel,
              row_number() over (partition by channel order by id) as place,
              count(*) over (partition by channel) as count
         from messages
        where id = any($2)
     ), ${TICKS}
     update messages set reactions_ts = ticked.ts from ticked where messages.id = ticked.id`,
    [username, ids],
  )
}

/** For good, with their reactions and mentions; answers their files. Open tabs learn of each at a time of its own. */
export async function removeMessages(tx: Db, ids: number[]): Promise<string[]> {
  const { rows } = await tx.query<{ filename: string }>(
    `with gone as (
       delete from messages where id = any($1) returning id, channel, ts, filename
     ), changed as (
       select id, channel,
              row_number() over (partition by channel order by ts) as place,
              count(*) over (partition by channel) as count
         from gone
     ), ${TICKS}, told as (
       insert into removed_messages (id, channel, ts, removed_ts)
       select gone.id, gone.channel, gone.ts, ticked.ts from gone join ticked using (id)
     )
     select filename from gone where filename is not null`,
    [ids],
  )
  return rows.map(row => row.filename)
}

/** A DM that somebody has closed had come back for a message that is gone now. */
export async function rehideDms(tx: Db, channels: ChannelId[]): Promise<void> {
  await tx.query(
    `update hidden_dms hidden
        set hidden_ts = channel.newest_ts
       from channels channel
      where channel.id = hidden.channel
        and channel.id = any($1)
        and hidden.hidden_ts < channel.newest_ts
        and not exists (
              select from messages
               where messages.channel = hidden.channel and messages.ts > hidden.hidden_ts)`,
    [channels],
  )
}

/** The name cannot be registered. A repeated send is told apart by its sender, so that goes too. */
export async function renameMessages(tx: Db, ids: number[]): Promise<void> {
  await tx.query('update messages set sender = $2, client_id = null where id = any($1)', [
    ids,
    DELETED_SENDER,
  ])
}

/** What a person has read, closed, and was told; answers the DMs they took part in, which stay for the others. */
export async function forgetPerson(tx: Db, username: Username): Promise<ChannelId[]> {
  await tx.query('delete from read_watermarks where username = $1', [username])
  await tx.query('delete from hidden_dms where username = $1', [username])
  await tx.query('delete from message_mentions where username = $1', [username])
  await tx.query('delete from signals where $1 in (sender, recipient)', [username])
  const { rows } = await tx.query<{ channel: ChannelId }>(
    'delete from dm_participants where username = $1 returning channel',
    [username],
  )
  return rows.map(row => row.channel)
}
