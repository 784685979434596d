import { hasJoined, peopleOf } from '#shared/access/channel-people.ts'
import type { ChannelPersonPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function insertProperties(
  tx: Db,
  channel: ChannelId,
  kind: 'public' | 'private',
): Promise<void> {
  await tx.query('insert into channel_properties (channel, kind) values ($1, $2) on conflict do nothing', [
    channel,
    kind,
  ])
}

export interface Properties {
  name: string | null
  topic: string | null
  description: string | null
  posting: 'everyone' | 'managers'
  is_default: boolean
}

/** The shown name of a private channel is its own. */
export async function propertiesOf(tx: Db, channel: ChannelId): Promise<Properties> {
  const { rows } = await tx.query<Properties>(
    `select coalesce(private.name, properties.name) as name, topic, description, posting, is_default
       from channel_properties properties
       left join private_channels private on 'private:' || private.id = properties.channel and properties.kind = 'private'
      where properties.channel = $1`,
    [channel],
  )
  return rows[0]!
}

export async function updateProperties(
  tx: Db,
  channel: ChannelId,
  { name, topic, description, posting, is_default }: Properties,
): Promise<void> {
  await tx.query(
    `update channel_properties
        set name = case when kind = 'private' then name else $2 end, topic = $3, description = $4, posting = $5,
            is_default = $6
      where channel = $1`,
    [channel, name, topic, description, posting, is_default],
  )
}

/** True for members of a private channel, and for those who have joined a public one. */
export async function isIn(
  tx: Db,
  { id, kind, isConfigured }: { id: ChannelId; kind: 'public' | 'private'; isConfigured: boolean },
  viewer: Username,
): Promise<boolean> {
  if (kind === 'private') return true
  const { rows } = await tx.query<{ joined: boolean }>(
    `select ${hasJoined('$2', '$3::boolean')} as joined from users where username = $1`,
    [viewer, id, isConfigured],
  )
  return rows[0]?.joined === true
}

export async function isPrivateChannel(db: Db, privateId: number): Promise<boolean> {
  const { rowCount } = await db.query('select from private_channels where id = $1', [privateId])
  return rowCount === 1
}

export async function isArchived(tx: Db, channel: ChannelId): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from channel_properties where channel = $1 and archived_ts is not null',
    [channel],
  )
  return rowCount === 1
}

/** `by` is null to bring the channel back. */
export async function updateArchived(tx: Db, channel: ChannelId, by: Username | null): Promise<void> {
  await tx.query(
    `update channel_properties
        set archived_by = $2,
            archived_ts = case when $2::text is not null then extract(epoch from clock_timestamp()) end
      where channel = $1`,
    [channel, by],
  )
}

/** Sets the watermarks of those for whom a channel becomes a default one: its past is not unread. */
export async function markReadForEverybody(tx: Db, channel: ChannelId): Promise<void> {
  await tx.query(
    `insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord, joined_ts)
     select channels.id, account.username, channels.newest_ts, channels.message_count, channels.newest_ts
       from channels
      cross join users account
      where channels.id = $1
        and channels.message_count > 0
        and account.role <> 'guest'
        and not exists (
              select from channel_memberships membership
               where membership.username = account.username and membership.channel = $1)
      order by account.username
     on conflict (channel, username) do update
        set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
            last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
            joined_ts = case
              when excluded.last_read_ts > marker.last_read_ts then excluded.joined_ts
              else marker.joined_ts
            end`,
    [channel],
  )
}

/** Gives an implicit manager of a private channel a row, before the channel gets its first active manager. */
export async function keepHeir(tx: Db, privateId: number, channel: ChannelId): Promise<void> {
  await tx.query(
    `insert into channel_managers (channel, username)
     select $1, member.username
       from private_channel_members member
       join users account on account.username = member.username
      where member.channel_id = $2 and account.state = 'active' and account.role <> 'guest'
        and not exists (
              select from channel_managers manager
                join private_channel_members other
                  on other.channel_id = $2 and other.username = manager.username
                join users active on active.username = manager.username
               where manager.channel = $1 and active.state = 'active' and active.role <> 'guest')
      order by member.join_order
      limit 1
     on conflict do nothing`,
    [channel, privateId],
  )
}

export interface PeopleFilter {
  q: string | undefined
  role: 'manager' | 'guest' | undefined
  after: string | undefined
  limit: number
}

/** The active people of a channel by name. */
export async function channelPeople(
  db: Db,
  channel: ChannelId,
  isDefault: boolean,
  managers: readonly Username[],
  { q, role, after, limit }: PeopleFilter,
): Promise<(ChannelPersonPayload & { username_key: string })[]> {
  const { sql, rest } = peopleOf(channel, isDefault)
  const { rows } = await db.query<ChannelPersonPayload & { username_key: string }>(
    `select account.username, account.username_key, account.display_name, account.role,
            account.username = any($3) as manager, account.role = 'guest' as guest, person.joined_ts
       from (${sql}) person
       join users account on account.username = person.username
      where account.state = 'active'
        and ($4::text is null or strpos(account.username_key, $4) > 0
             or strpos(lower(coalesce(account.display_name, '')), $4) > 0)
        and case $5::text when 'manager' then account.username = any($3)
                          when 'guest' then account.role = 'guest' else true end
        and ($6::text is null or account.username_key > $6)
      order by account.username_key
      limit $7`,
    [channel, rest, managers, q?.toLowerCase() ?? null, role ?? null, after ?? null, limit],
  )
  return rows
}
