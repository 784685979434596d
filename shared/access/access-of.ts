import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Db, prepared } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export type Posting = 'everyone' | 'managers'

/** The rights of a viewer in a channel that they may read. */
export interface ChannelAccess {
  role: Role
  historyStart: Seconds
  isArchived: boolean
  posting: Posting
  /** Null where it was not asked for and decides nothing. */
  manages: boolean | null
}

/*
 * Rights of a viewer in a channel, in one statement and without a cache: every process knows a change at once.
 * Without properties of the channel and roles other than member, a public channel costs two index probes.
 */

const PROPERTIES = `
  properties.archived_ts is not null as "isArchived", coalesce(properties.posting, 'everyone') as posting`

/** SQL for the rights of accounts `account` in `channel`; guests manage nothing. */
const isManager = (channel: string) => `
  account.role <> 'guest'
  and exists (select from channel_managers manager where manager.channel = ${channel} and manager.username = account.username)`

/** SQL: `account` manages the public channel. */
export const managesPublic = (channel: string): string =>
  `(account.role in ('owner', 'admin') or ${isManager(channel)})`

/**
 * SQL: `account`, a member, manages the private channel. Without an active manager, its longest-standing active member
 * does.
 */
export const managesPrivate = (channel: string, privateId: string): string => `(
  account.role in ('owner', 'admin')
  or ${isManager(channel)}
  or account.username = (
       select other.username
         from private_channel_members other
         join users on users.username = other.username
        where other.channel_id = ${privateId} and users.state = 'active' and users.role <> 'guest'
          and not exists (
                select from channel_managers manager
                  join private_channel_members managing
                    on managing.channel_id = ${privateId} and managing.username = manager.username
                  join users active on active.username = manager.username
                 where manager.channel = ${channel} and active.state = 'active' and active.role <> 'guest')
        order by other.join_order
        limit 1))`

/** $1 viewer, $2 channel, $3 whether the channel is in the settings, $4 whether managing is asked for. */
const PUBLIC_ACCESS = prepared(
  `select coalesce(account.role, 'member') as role, 0 as "historyStart", ${PROPERTIES},
          case when properties.channel is null then account.role in ('owner', 'admin')
               when $4 or properties.posting = 'managers' then ${managesPublic('asked.channel')} end as manages
     from (select $2::text as channel) asked
     left join users account on account.username = $1
     left join channel_properties properties on properties.channel = asked.channel
    where ($3 or (properties.kind = 'public' and properties.made_here))
      and case when account.role = 'guest' then account.state = 'active' and exists (
                      select from channel_memberships membership
                       where membership.username = account.username
                         and membership.channel = asked.channel
                         and membership.joined)
               -- An account that is gone: its requests end as signed out.
               else coalesce(account.state, 'active') = 'active' end`,
)

/** Undefined for a channel that does not exist or that the viewer may not read, which look alike. */
export async function publicAccess(
  { db, settings }: Stores,
  viewer: Username,
  channel: ChannelId,
  withManaging: boolean,
): Promise<ChannelAccess | undefined> {
  const isConfigured = settings.current.channels.includes(channel)
  const { rows } = await db.query<ChannelAccess>(PUBLIC_ACCESS, [viewer, channel, isConfigured, withManaging])
  return rows[0]
}

/** $1 number of the channel, $2 viewer, $3 whether managing is asked for. */
const PRIVATE_ACCESS = prepared(
  `select account.role, coalesce(member.history_start_ts, 0) as "historyStart", ${PROPERTIES},
          case when $3 or properties.posting = 'managers'
               then ${managesPrivate(`'private:' || member.channel_id`, 'member.channel_id')} end as manages
     from private_channel_members member
     join users account on account.username = member.username
     left join channel_properties properties on properties.channel = 'private:' || member.channel_id
    where member.channel_id = $1 and member.username = $2`,
)

/** Undefined for somebody who is no member. */
export async function privateAccess(
  { db }: { db: Db },
  viewer: Username,
  privateId: number,
  withManaging: boolean,
): Promise<ChannelAccess | undefined> {
  const { rows } = await db.query<ChannelAccess>(PRIVATE_ACCESS, [privateId, viewer, withManaging])
  return rows[0]
}
