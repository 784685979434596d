import { ACCOUNT_LOCK } from '#shared/access/account-locks.ts'
import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { ReadableThread } from '#shared/access/readable-thread.ts'
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, payloadOf } from '#shared/collections/messages.ts'
import { READ_TS } from '#shared/collections/unread.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Unread replies counted per thread, and mentions marked as read at once, at most. */
const MOST_COUNTED = 1_000
/** Unread mentions listed per thread, at most. */
const MOST_MENTIONS = 100
/** Names of people listed per thread, at most, and the newest rows in which they are looked for. */
const MOST_PEOPLE = 100
const MOST_ROWS_FOR_PEOPLE = 5_000

/** SQL: the unread replies of the thread `follow.root_id`, for `$viewer`, later than the times `readable` has. */
const unreadReplies = (viewer: string) => `
  select ord - greatest(part - 1, 0) as first,
         message.id,
         message.mentions is not null
         and exists (
             select from message_mentions
              where message_id = message.id and username in (${viewer}, '${EVERYONE}')) as is_mention
    from messages message
   where message.thread_id = follow.root_id
     and message.ts > readable.last_read
     and message.ts >= readable.history_start
     and message.id > follow.last_read_id
     and message.sender <> ${viewer}
     and message.deleted = 0
     and ${IS_NOT_REMOVED}
   limit ${MOST_COUNTED}`

const countUnread = (viewer: string) =>
  `(select count(distinct first)::integer from (${unreadReplies(viewer)}) reply)`

/** The newest rows of a thread before a message, oldest first. `more`: there are older ones. */
export async function threadRows(
  db: Db,
  { rootId, channel }: ReadableThread,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Fitting<MessagePayload>> {
  const earlier = `
    select message.id, message.ts, ${MESSAGE_BYTES} as bytes
      from messages message
     where message.thread_id = $1
       and message.ts >= $2
       and ($3::bigint is null
            or (message.id < $3 and message.ts < coalesce((select ts from messages where id = $3), 'infinity')))
       and ${IS_NOT_REMOVED}`
  const { rows } = await db.query<MessageRow & { more: boolean }>(
    `with page as materialized (${firstThatFit(earlier, 'ts desc', '$4')})
     select ${MESSAGE_COLUMNS}, page.more
       from page join messages message on message.id = page.id
      order by message.ts desc`,
    [rootId, channel.historyStart, before ?? null, limit],
  )
  const { items, more } = fittingOf(rows, payloadOf)
  return { items: items.reverse(), more }
}

/** Names of the people who wrote in a thread or its root. */
export async function peopleIn(db: Db, { rootId, channel }: ReadableThread): Promise<Username[]> {
  const { rows } = await db.query<{ sender: Username }>(
    `select distinct sender
       from ((select ${SHOWN_SENDER} as sender
                from messages message
               where message.thread_id = $1
                 and message.ts >= $2
                 and message.deleted = 0
                 and ${IS_NOT_REMOVED}
               order by message.ts desc
               limit ${MOST_ROWS_FOR_PEOPLE})
              union all
              select ${SHOWN_SENDER}
                from messages message
               where message.id = $1
                 and message.ts >= $2
                 and ${IS_NOT_REMOVED}) person
      order by sender
      limit ${MOST_PEOPLE}`,
    [rootId, channel.historyStart],
  )
  return rows.map(({ sender }) => sender)
}

/** Messages by id, of readable channels and not before the start of their history. */
export async function rowsOf(
  db: Db,
  places: { id: number; historyStart: Seconds }[],
): Promise<Map<number, MessagePayload>> {
  if (places.length === 0) return new Map()
  const { rows } = await db.query<MessageRow>(
    `select ${MESSAGE_COLUMNS}
       from unnest($1::bigint[], $2::double precision[]) as place (id, history_start)
       join messages message on message.id = place.id and message.ts >= place.history_start
      where ${IS_NOT_REMOVED}`,
    [places.map(({ id }) => id), places.map(({ historyStart }) => historyStart)],
  )
  return new Map(rows.map(row => [row.id, payloadOf(row)]))
}

export interface FollowState {
  following: boolean
  last_read_id: number
  unread: number
}

export async function followState(
  db: Db,
  viewer: Username,
  { rootId, channel }: ReadableThread,
): Promise<FollowState> {
  const { rows } = await db.query<FollowState>(
    `select follow.following, follow.last_read_id, ${countUnread('$1')} as unread
       from (select coalesce(following, false) as following, coalesce(last_read_id, 0) as last_read_id,
                    $2::bigint as root_id
               from (select) always
               left join thread_follows on username = $1 and root_id = $2) follow
      cross join (
            select $4::double precision as history_start, ${READ_TS} as last_read
              from (select) always
              left join read_watermarks marker on marker.username = $1 and marker.channel = $3) readable`,
    [viewer, rootId, channel.id, channel.historyStart],
  )
  return rows[0]!
}

export interface FollowedRow extends RepliesCount {
  root_id: number
  channel: ChannelId
  history_start: Seconds
  /** The time of the newest reply, which orders the list; `last_ts` is the time of the first row of its send. */
  newest_ts: Seconds
  newest_id: number
  unread: number
  mentioned: number[]
}

export interface ThreadFilter {
  channel: ChannelId | undefined
  unreadOnly: boolean
  /** Only threads whose root the viewer wrote. */
  ownOnly: boolean
  limit: number
  after: { ts: Seconds; rootId: number } | undefined
}

/** The threads that the viewer follows and may read, newest reply first. */
export async function followedThreads(
  stores: Stores,
  viewer: Username,
  { channel, unreadOnly, ownOnly, limit, after }: ThreadFilter,
): Promise<Fitting<FollowedRow>> {
  const { rows } = await stores.db.query<FollowedRow & { more: boolean }>(
    `with readable as materialized (
       select readable.channel, readable.history_start, ${READ_TS} as last_read
         from (${READABLE_CHANNELS}) readable
         left join read_watermarks marker on marker.channel = readable.channel and marker.username = $3
        where $4::text is null or readable.channel = $4
     ), page as materialized (
       select follow.root_id, follow.last_read_id, readable.*, newest.ts as newest_ts, newest.id as newest_id
         from thread_follows follow
         join readable on readable.channel = follow.channel
        cross join lateral (
              select message.ts, message.id
                from messages message
               where message.thread_id = follow.root_id
                 and message.ts >= readable.history_start
                 and message.deleted = 0
                 and ${IS_NOT_REMOVED}
               order by message.ts desc
               limit 1) newest
        where follow.username = $3
          and follow.following
          and (newest.ts, follow.root_id) < ($5::double precision, $6::bigint)
          and (not $7::boolean or (newest.ts > readable.last_read and exists (${unreadReplies('$3')})))
          and (not $8::boolean or exists (select from messages where id = follow.root_id and sender = $3))
        order by newest.ts desc, follow.root_id desc
        limit $9 + 1
     ), threads as materialized (
     select follow.root_id, follow.channel, follow.history_start, follow.newest_ts, follow.newest_id,
            replies.*, news.unread, news.mentioned,
            (select sum(${MESSAGE_BYTES}) from messages message where message.id in (follow.root_id, replies.last_id)) as bytes
       from page follow
      cross join lateral (select follow.last_read, follow.history_start) readable
      cross join lateral (
            select count(distinct first)::integer as unread,
                   coalesce(to_json((array_agg(id order by id desc) filter (where is_mention))[:${MOST_MENTIONS}]), '[]')
                   as mentioned
              from (${unreadReplies('$3')}) reply) news
      cross join lateral jsonb_to_record(replies_of(follow.root_id, follow.history_start))
            as replies (count integer, last_id bigint, last_ts double precision, people text[])
     )
     select root_id, channel, history_start, newest_ts, newest_id, count, last_id, last_ts, people, unread, mentioned, more
       from (${firstThatFit('select * from threads', 'newest_ts desc, root_id desc', '$9')}) fitting
      order by newest_ts desc, root_id desc`,
    [
      ...readableChannelsValues(stores, [viewer]),
      viewer,
      channel ?? null,
      after?.ts ?? Infinity,
      after?.rootId ?? 0,
      unreadOnly,
      ownOnly,
      limit,
    ],
  )
  return fittingOf(rows, row => row)
}

/** Locks the account, as deletion does. */
const ACCOUNT = `account as materialized (
  select username from users where username = $1 and state = 'active' ${ACCOUNT_LOCK.name}
)`

/** Returns whether anything changed. */
export async function setFollowing(
  db: Db,
  viewer: Username,
  { rootId, channel }: ReadableThread,
  following: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with ${ACCOUNT}
     insert into thread_follows as follow (username, root_id, channel, following, changed_ts)
     select username, $2, $3, $4, extract(epoch from clock_timestamp()) from account
     on conflict (username, root_id) do update
        set following = excluded.following, changed_ts = excluded.changed_ts
      where follow.following is distinct from excluded.following`,
    [viewer, rootId, channel.id, following],
  )
  return rowCount === 1
}

/**
 * Marks a thread as read up to a message, and its replies and mentions in the inbox. Locks rows of the inbox in order of
 * ids. Returns the number of changes.
 */
export async function markThreadRead(
  db: Db,
  viewer: Username,
  { rootId, channel }: { rootId: number; channel: { id: ChannelId; historyStart: Seconds } },
  upto: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with ${ACCOUNT}, newest as materialized (
       select id, ts
         from messages
        where thread_id = $2 and ts >= $5 and id <= $4
        order by ts desc
        limit 1
     ), read as (
       insert into thread_follows as follow (username, root_id, channel, last_read_id, changed_ts)
       select username, $2, $3, newest.id, extract(epoch from clock_timestamp()) from account cross join newest
       on conflict (username, root_id) do update
          set last_read_id = excluded.last_read_id, changed_ts = excluded.changed_ts
        where follow.last_read_id < excluded.last_read_id
       returning 1
     ), channel_read as materialized (
       select ${READ_TS} as ts
         from (select) always
         left join read_watermarks marker on marker.channel = $3 and marker.username = $1
     ), mentioned as (
       insert into activity (username, kind, channel, message_id, ts, read_ts)
       select account.username, 'mention', mention.channel, mention.message_id, mention.ts, mention.ts
         from account
        cross join channel_read
        cross join newest
        cross join lateral (
              select mention.*
                from message_mentions mention
                join messages message on message.id = mention.message_id and message.thread_id = $2
               where mention.channel = $3
                 and mention.username in ($1, $6)
                 and mention.ts > channel_read.ts
                 and mention.ts >= $5
                 and mention.ts <= newest.ts
               limit ${MOST_COUNTED}) mention
       on conflict do nothing
       returning 1
     ), locked as materialized (
       select activity.id
         from activity
         join messages message on message.id = activity.message_id and message.thread_id = $2
        where activity.username = $1
          and activity.channel = $3
          and activity.kind = 'reply'
          and activity.ts > (select ts from channel_read)
          and activity.message_id <= $4
          and coalesce(activity.read_ts < activity.ts, true)
          and exists (select from account)
        order by activity.id
          for update of activity
     ), marked as (
       update activity set read_ts = ts from locked where activity.id = locked.id returning 1
     )
     select ((select count(*) from read) + (select count(*) from mentioned)
             + (select count(*) from marked))::integer as count`,
    [viewer, rootId, channel.id, upto, channel.historyStart, EVERYONE],
  )
  return rows[0]!.count
}
