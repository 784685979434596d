import { ACCOUNT_LOCK } from '#shared/access/account-locks.ts'
import { startClock } from '#shared/channels/channel-clock.ts'
import type { ArchivedPrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface NewChannel {
  id: number
  members: Username[]
}

/** Creates a channel with its clock and its members: the creator first, the others by name. Undefined for a guest. */
export async function insertPrivateChannel(
  db: Db,
  creator: Username,
  name: string,
  nameKeys: string[],
): Promise<NewChannel | undefined> {
  const { rows } = await db.query<NewChannel>(
    `with account as (
       select username, username_key from users where username_key = any($3) and state = 'active' ${ACCOUNT_LOCK.name}
     ), created as (
       insert into private_channels (name, created_by, created_ts)
       select $2, $1, extract(epoch from clock_timestamp())
        where not exists (select from users where username = $1 and role = 'guest')
       returning id, created_ts
     ), clock as (
       ${startClock("'private:' || id", 'created_ts', 'created')}
     ), joined as (
       insert into private_channel_members (channel_id, username, joined_ts)
       select id, username, created_ts
         from created
        cross join account
        order by username <> $1, array_position($3, username_key)
       returning username
     ), managed as (
       insert into channel_managers (channel, username)
       select 'private:' || created.id, $1 from created cross join account where account.username = $1
     )
     select id, (select array_agg(username) from joined) as members from created`,
    [creator, name, nameKeys],
  )
  return rows[0]
}

export async function isMember(db: Db, privateId: number, name: Username): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from private_channel_members where channel_id = $1 and username = $2',
    [privateId, name],
  )
  return rowCount === 1
}

/** Adds a member whose history begins at a time; older messages are not unread. */
export async function insertMember(
  tx: Db,
  privateId: number,
  name: Username,
  historyStart: Seconds,
): Promise<void> {
  await tx.query(
    `insert into private_channel_members (channel_id, username, joined_ts, history_start_ts)
     values ($1, $2, $3, $3)`,
    [privateId, name, historyStart],
  )
}

/** Locks two memberships that one of the two ends, in the order of names: they may end each other's. */
export async function lockBoth(tx: Db, privateId: number, one: Username, other: Username): Promise<void> {
  await tx.query(
    `select from private_channel_members
      where channel_id = $1 and username = any($2)
      order by username
        for update`,
    [privateId, [one, other]],
  )
}

/** False for a non-member. */
export async function deleteMember(tx: Db, privateId: number, name: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from private_channel_members where channel_id = $1 and username = $2',
    [privateId, name],
  )
  return rowCount === 1
}

const MOST_ARCHIVED = 200

/** The archived channels of a member, the latest first. */
export async function archivedPrivateChannels(
  db: Db,
  member: Username,
): Promise<ArchivedPrivateChannelPayload[]> {
  const { rows } = await db.query<ArchivedPrivateChannelPayload>(
    `select private.id, properties.channel, private.name, properties.topic, properties.archived_ts,
            (select count(*)::integer
               from private_channel_members other
               join users account on account.username = other.username
              where other.channel_id = private.id and account.state = 'active') as members
       from private_channel_members member
       join private_channels private on private.id = member.channel_id
       join channel_properties properties on properties.channel = 'private:' || private.id
      where member.username = $1 and properties.archived_ts is not null
      order by properties.archived_ts desc, private.id
      limit ${MOST_ARCHIVED}`,
    [member],
  )
  return rows
}
