import { managesPublic, type Posting } from '#shared/access/access-of.ts'
import { DECISIONS_BY_CHANNEL, decisionsOf, membersOfPublic } from '#shared/access/channel-people.ts'
import { publicChannelsSql, READABLE_PUBLIC_CHANNELS } from '#shared/access/public-channels.ts'
import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { PublicChannelPayload, PublicChannelsPage } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Db, positions } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export type ChannelOrder = 'name' | 'members' | 'newest'

/** The place of a channel in a list: both keys ascending, then the id. */
export type ChannelPlace = [number: number, text: string, channel: ChannelId]

export interface ChannelFilter {
  q: string | undefined
  withArchived: boolean
  /** Leaves out what the viewer does not manage. */
  managedOnly?: boolean | undefined
  sort: ChannelOrder
  after: ChannelPlace | undefined
  limit: number
  only?: ChannelId
}

export interface FoundChannel extends PublicChannelPayload {
  place: ChannelPlace
}

const SORT: Record<ChannelOrder, [number: string, text: string]> = {
  name: ['0::double precision', 'lower(name)'],
  members: ['-members::double precision', 'lower(name)'],
  newest: ['-coalesce(newest_ts, 0)', "''::text"],
}

/** Parameters of the statements below; the first two are those of READABLE_CHANNELS. */
const $ = positions('viewers', 'configured', 'withArchived', 'only', 'q', 'after', 'limit', 'managedOnly')

/** SQL for the public channels that the viewer may read, without their members. */
const LISTED = `
  select readable.channel, coalesce(properties.name, readable.channel) as name, properties.topic,
         properties.description, readable.decided as joined, readable.is_default,
         coalesce(properties.posting, 'everyone') as posting, readable.is_archived as archived,
         properties.created_by, properties.created_ts, nullif(channel.newest_ts, 0) as newest_ts
    from (${READABLE_PUBLIC_CHANNELS}) readable
    left join channel_properties properties on properties.channel = readable.channel
    left join channels channel on channel.id = readable.channel
   where (not readable.is_archived or ${$.withArchived})
     and (${$.only}::text is null or readable.channel = ${$.only})
     and (not ${$.managedOnly} or exists (
           select from users account
            where account.username = any(${$.viewers}) and ${managesPublic('readable.channel')}))`

/** SQL for a page of the relation `found`. */
const pageBy = ([number, text]: [string, string]) => `
  select found.*, jsonb_build_array(${number}, ${text}, channel) as place
    from found
   where (${$.q}::text is null or strpos(lower(name), ${$.q}) > 0 or strpos(lower(channel), ${$.q}) > 0
          or strpos(lower(coalesce(topic, '')), ${$.q}) > 0)
     and (${$.after}::jsonb is null or (${number}, ${text}, channel) >
          ((${$.after} ->> 0)::double precision, ${$.after} ->> 1, ${$.after} ->> 2))
   order by ${number}, ${text}, channel
   limit ${$.limit}`

/** Counts the members of every channel only where these decide about the order. */
const statementFor = (sort: ChannelOrder) =>
  sort === 'members'
    ? `with found as materialized (
         select listed.*, ${membersOfPublic('counted', 'listed.is_default')} as members
           from (${LISTED}) listed
           left join (${DECISIONS_BY_CHANNEL}) counted on counted.channel = listed.channel
       )
       ${pageBy(SORT.members)}`
    : `with found as (${LISTED}), page as materialized (${pageBy(SORT[sort])})
       select page.*, ${membersOfPublic('counted', 'page.is_default')} as members
         from page
         left join lateral (${decisionsOf('page.channel')}) counted on true
        order by (place ->> 0)::double precision, place ->> 1, page.channel`

type Row = Omit<FoundChannel, 'default'> & { is_default: boolean }

/** The public channels that the viewer may read, in the order asked for. */
export async function findPublicChannels(
  stores: Stores,
  viewer: Username,
  { q, withArchived, managedOnly = false, sort, after, limit, only }: ChannelFilter,
): Promise<FoundChannel[]> {
  const { rows } = await stores.db.query<Row>(statementFor(sort), [
    ...readableChannelsValues(stores, [viewer]),
    withArchived,
    only ?? null,
    q?.toLowerCase() ?? null,
    after ? JSON.stringify(after) : null,
    limit,
    managedOnly,
  ])
  return rows.map(({ is_default, ...row }) => ({ ...row, default: is_default }))
}

/** Messages of a channel among whose senders `writersOf` looks. */
const LOOKED_AT = 10
const MOST_WRITERS = 3

/** The people who wrote the newest messages of each channel, newest first; a channel without any has no entry. */
export async function writersOf(db: Db, channels: readonly ChannelId[]): Promise<Map<ChannelId, Username[]>> {
  const { rows } = await db.query<{ channel: ChannelId; writers: Username[] }>(
    `select channel, (array_agg(username order by latest desc))[:${MOST_WRITERS}] as writers
       from (select asked.channel, account.username, max(newest.ts) as latest
               from unnest($1::text[]) asked (channel)
              cross join lateral (
                    select sender, ts, deleted, content_type
                      from messages
                     where messages.channel = asked.channel
                     order by ts desc
                     limit ${LOOKED_AT}) newest
               join users account on account.username = newest.sender and account.state = 'active'
              where newest.deleted = 0 and newest.content_type <> 'system'
              group by asked.channel, account.username) written
      group by channel`,
    [channels],
  )
  return new Map(rows.map(({ channel, writers }) => [channel, writers]))
}

/** Counts the public channels that the viewer may read; `joined` are among the open ones. */
export async function countPublicChannels(
  stores: Stores,
  viewer: Username,
): Promise<PublicChannelsPage['counts']> {
  const { rows } = await stores.db.query<NonNullable<PublicChannelsPage['counts']>>(
    `select (count(*) filter (where not is_archived))::integer as open,
            (count(*) filter (where not is_archived and decided))::integer as joined,
            (count(*) filter (where is_archived))::integer as archived
       from (${READABLE_PUBLIC_CHANNELS}) readable`,
    readableChannelsValues(stores, [viewer]),
  )
  return rows[0]!
}

/** The channel with this id, regardless of case: configured, made here or archived. */
export async function findTakenId(
  { settings }: Stores,
  tx: Db,
  id: ChannelId,
): Promise<{ channel: ChannelId; isArchived: boolean } | undefined> {
  const { rows } = await tx.query<{ channel: ChannelId; isArchived: boolean }>(
    `select channel, is_archived as "isArchived" from (${publicChannelsSql('$1')}) public where lower(channel) = lower($2)`,
    [[...settings.current.channels], id],
  )
  return rows[0]
}

export interface NewPublicChannel {
  channel: ChannelId
  name: string
  topic: string | null
  description: string | null
  posting: Posting
  isDefault: boolean
  maker: Username
}

/** False if the id is taken, also by a channel that the settings no longer have: its messages remain. */
export async function insertPublicChannel(tx: Db, made: NewPublicChannel): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with stored_while_deleted as (
       delete from read_watermarks where channel = $1 and not exists (select from channels where id = $1)
     )
     insert into channel_properties
            (channel, kind, made_here, name, topic, description, posting, is_default, created_by, created_ts)
     select $1, 'public', true, $2, $3, $4, $5, $6, $7, extract(epoch from clock_timestamp())
      where not exists (select from channels where id = $1)
     on conflict do nothing`,
    [made.channel, made.name, made.topic, made.description, made.posting, made.isDefault, made.maker],
  )
  return rowCount === 1
}

/** Locks memberships against sends of these people, in the order of names. */
export async function lockMemberships(
  tx: Db,
  channel: ChannelId,
  people: readonly { username: Username }[],
): Promise<void> {
  await tx.query(
    `select from channel_memberships where channel = $1 and username = any($2) order by username for no key update`,
    [channel, people.map(({ username }) => username)],
  )
}

/** Records the decision to join or leave, in their sidebars too. Returns the people for whom it changed something. */
export async function decide(
  tx: Db,
  channel: ChannelId,
  people: readonly Username[],
  joined: boolean,
  isConfigured: boolean,
): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `with decided as (
       insert into channel_memberships as membership (username, channel, joined, changed_ts)
       select account.username, $1, $3, extract(epoch from clock_timestamp())
         from users account
         left join channel_memberships before on before.username = account.username and before.channel = $1
        where account.username = any($2)
          and $3 <> coalesce(
                before.joined,
                account.role <> 'guest'
                and ($4 or coalesce((select is_default from channel_properties where channel = $1), false)))
        order by account.username
       on conflict (username, channel) do update
          set joined = excluded.joined, changed_ts = excluded.changed_ts
        where membership.joined <> excluded.joined
       returning username
     ), raised as (
       insert into sidebar_revisions as own (username, rev)
       select username, 1 from decided order by username
       on conflict (username) do update set rev = own.rev + 1
     )
     select username from decided`,
    [channel, people, joined, isConfigured],
  )
  return rows.map(row => row.username)
}

/** The line about it is an item in the inbox of the added people. */
export async function insertAdded(
  tx: Db,
  channel: ChannelId,
  { id, ts }: { id: number; ts: Seconds },
  people: readonly Username[],
): Promise<void> {
  await tx.query(
    `insert into activity (username, kind, channel, message_id, ts)
     select name, 'added', $1, $2, $3 from unnest($4::text[]) as name order by name`,
    [channel, id, ts, people],
  )
}
