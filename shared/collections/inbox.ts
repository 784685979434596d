import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import {
  INBOX_KINDS,
  type InboxItem,
  type InboxKind,
  type InboxPayload,
} from '#shared/domain/payloads/inbox.ts'
import type { ScheduledFailure } from '#shared/domain/payloads/later.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from './collection.ts'
import { presentReaders } from './mentions.ts'
import { atOneMoment } from './one-moment.ts'
import { READ_TS } from './unread.ts'

/** Items of the first page, which is also the frame. */
export const FIRST_PAGE = 20
/** Older items are not listed; the janitor deletes their rows. */
export const INBOX_KEPT: Seconds = 90 * 24 * 3600
/** Unread items counted per channel and kind at most. */
export const MOST_COUNTED = 100
/** Viewers per query. */
const VIEWERS_AT_ONCE = 100

export const inbox: GlobalCollection<'inbox'> = {
  event: 'inbox',
  scope: 'global',
  minInterval: 1_000,

  async read(stores, viewers) {
    const pages = new Map<Username, InboxPayload>()
    for (let from = 0; from < viewers.length; from += VIEWERS_AT_ONCE) {
      const some = viewers.slice(from, from + VIEWERS_AT_ONCE)
      for (const [viewer, page] of await readInbox(stores, some)) pages.set(viewer, page)
    }
    return pages
  },
}

export interface InboxFilter {
  kind?: InboxKind
  unreadOnly?: boolean
  limit?: number
  /** The last item of the previous page. */
  after?: { ts: Seconds; messageId: number }
}

/** Reads a page for each viewer (interface 14.2): what the viewer may read at present, newest first. */
export const readInbox = (
  stores: Stores,
  viewers: Username[],
  filter: InboxFilter = {},
): Promise<Map<Username, InboxPayload>> => atOneMoment(stores, then => pagesFor(then, viewers, filter))

async function pagesFor(
  stores: Stores,
  viewers: Username[],
  filter: InboxFilter,
): Promise<Map<Username, InboxPayload>> {
  const limit = filter.limit ?? FIRST_PAGE
  const candidates = await candidatesFor(stores, viewers, filter, limit + 1)
  const unread = await unreadFor(stores, viewers)
  const listed = new Map([...candidates].map(([viewer, list]) => [viewer, list.slice(0, limit)]))
  const texts = await textsOf(stores.db, listed)
  const reactors = await reactorsOf(stores.db, listed)
  const failures = await failuresAmong(stores.db, listed)
  const mayRead = await presentReaders(stores.db, listed)
  return new Map(
    viewers.map(viewer => {
      const list = listed.get(viewer) ?? []
      const items = list.flatMap(candidate => {
        const id = candidate.message_id
        if (candidate.kind === 'failed') return failedItem(candidate, failures.get(id))
        return mayRead(viewer, candidate) ? itemOf(candidate, texts.get(id), reactors.get(id)) : []
      })
      const last = list.at(-1)
      const hasMore = (candidates.get(viewer)?.length ?? 0) > limit && last !== undefined
      const next = hasMore ? `${last.item_ts}_${last.message_id}` : null
      return [viewer, { ...(unread.get(viewer) ?? NONE), items, next }]
    }),
  )
}

type Unread = Pick<InboxPayload, 'unread' | 'threads'>
const NONE: Unread = { unread: 0, threads: 0 }

interface Candidate {
  viewer: Username
  kind: InboxKind
  channel: ChannelId
  message_id: number
  /** The time of the message. */
  ts: Seconds
  /** The time of the item: of the newest reaction, or of the message. */
  item_ts: Seconds
  activity_id: number | null
  read: boolean
}

/** Names of the parameters after those of READABLE_CHANNELS. */
const SINCE = '$3::double precision'
const $EVERYONE = '$4'

/** (viewer, channel, history_start, joined, last_read): the readable channels. */
const READABLE = `
  readable as materialized (
    select readable.viewer, readable.channel, readable.history_start, readable.joined, ${READ_TS} as last_read
      from (${READABLE_CHANNELS}) readable
      join channels channel on channel.id = readable.channel
      left join read_watermarks marker on marker.channel = readable.channel and marker.username = readable.viewer
     where channel.clock_us > ${SINCE} * 1000000
  )`

/** Mentions of a name in a channel, by others. */
const mentionsOf = (name: string, condition = 'true') => `
  select 'mention' as kind, mention.message_id, message.thread_id, mention.ts, mention.ts as item_ts,
         null::bigint as activity_id,
         mention.ts <= readable.last_read
           or exists (select from activity
                       where activity.message_id = mention.message_id
                         and activity.kind = 'mention'
                         and activity.username = readable.viewer) as read
    from message_mentions mention
    join messages message on message.id = mention.message_id
   where mention.channel = readable.channel
     and mention.username = ${name}
     and mention.ts > ${SINCE}
     and mention.ts >= readable.history_start
     and message.sender <> readable.viewer
     and ${condition}
     and ${IS_NOT_REMOVED}`

/** A reply that mentions the viewer is listed as a mention. */
const repliesTo = `
  select activity.kind, activity.message_id, message.thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         activity.ts <= readable.last_read or coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'reply'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0
     and ${IS_NOT_REMOVED}
     and (message.mentions is null or not message.mentions::jsonb ?| array[readable.viewer, case when readable.joined then ${$EVERYONE} end])`

const reactionsTo = `
  select activity.kind, activity.message_id, message.thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'reaction'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0
     and exists (
           select from reactions
            where reactions.message_id = message.id
              and reactions.username <> readable.viewer
              and reactions.username not in (select username from account_deletions))`

/** Lines by which others added the viewer to a channel. */
const addings = `
  select activity.kind, activity.message_id, null::bigint as thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         activity.ts <= readable.last_read or coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'added'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0`

/** The selects that yield the items of a kind in the channel `readable`. */
const ITEMS: Record<InboxKind, string[]> = {
  mention: [mentionsOf('readable.viewer'), mentionsOf($EVERYONE, 'readable.joined')],
  reply: [repliesTo],
  reaction: [reactionsTo],
  added: [addings],
  reminder: [],
  failed: [],
}

/**
 * Reminders of saved messages for `viewer.name`. Not by channel: the channel of an old message may have no change of the last 90 days.
 * Messages that the viewer may not read are left out later.
 */
const remindersOf = (condition: string, limit: string) => `
  (select item.*
     from (select activity.kind, activity.channel, activity.message_id, message.ts, activity.ts as item_ts,
                  activity.id as activity_id, coalesce(activity.read_ts >= activity.ts, false) as read
             from activity
             join messages message on message.id = activity.message_id
            where activity.username = viewer.name
              and activity.kind = 'reminder'
              and activity.ts > ${SINCE}
              and message.deleted = 0
              and ${IS_NOT_REMOVED}) item
    where ${condition}
    order by item_ts desc
    limit ${limit})`

/** Scheduled sends of `viewer.name` that failed; `message_id` is the id of the send. */
const failuresOf = (condition: string, limit: string) => `
  (select item.*
     from (select 'failed' as kind, channel, scheduled.id as message_id, ended_ts as ts, ended_ts as item_ts,
                  null::bigint as activity_id, read_ts is not null as read
             from scheduled
            where username = viewer.name
              and state = 'failed'
              and ended_ts > greatest(${SINCE}, extract(epoch from now()) - 30 * 24 * 3600)) item
    where ${condition}
    order by item_ts desc
    limit ${limit})`

/** The newest items of these kinds, each select cut at `limit`. */
const newestOf = (kinds: readonly InboxKind[], condition: string, limit: string) =>
  kinds
    .flatMap(kind => ITEMS[kind])
    .map(items => `(select * from (${items}) item where ${condition} order by item_ts desc limit ${limit})`)
    .join(' union all ')

/** Index ranges per channel, each cut at the page's size. */
const inChannels = (kinds: readonly InboxKind[], condition: string) => `
  (select found.kind, readable.channel, found.message_id, found.ts, found.item_ts, found.activity_id, found.read
     from readable
    cross join lateral (${newestOf(kinds, condition, '$7')}) found
    where readable.viewer = viewer.name and ${$EVERYONE}::text is not null
    order by found.item_ts desc, found.message_id desc
    limit $7)`

/** A page of items and one more, newest first. */
async function candidatesFor(stores: Stores, viewers: Username[], filter: InboxFilter, limit: number) {
  const kinds = filter.kind === undefined ? INBOX_KINDS : [filter.kind]
  const condition =
    '(item_ts, message_id) < ($5::double precision, $6::bigint) and (not read or not $8::boolean)'
  const ofChannels = kinds.filter(kind => kind !== 'reminder' && kind !== 'failed')
  const always = `${condition} and ${$EVERYONE}::text is not null`
  const selects = [
    ...(ofChannels.length > 0 ? [inChannels(ofChannels, condition)] : []),
    ...(kinds.includes('reminder') ? [remindersOf(always, '$7')] : []),
    ...(kinds.includes('failed') ? [failuresOf(always, '$7')] : []),
  ]
  const { rows } = await stores.db.query<Candidate>(
    `with ${READABLE}
     select viewer.name as viewer, item.*
       from unnest($1::text[]) as viewer (name)
      cross join lateral (
            select *
              from (${selects.join(' union all ')}) item
             order by item_ts desc, message_id desc
             limit $7) item`,
    [
      ...readableChannelsValues(stores, viewers),
      stores.clock.now() - INBOX_KEPT,
      EVERYONE,
      filter.after?.ts ?? Infinity,
      filter.after?.messageId ?? 0,
      limit,
      filter.unreadOnly ?? false,
    ],
  )
  return Map.groupBy(rows, row => row.viewer)
}

/** Counts unread items but reactions. */
async function unreadFor(stores: Stores, viewers: Username[]): Promise<Map<Username, Unread>> {
  const [counts, reminders] = await Promise.all([
    unreadInChannels(stores, viewers),
    unreadReminders(stores, viewers),
  ])
  for (const [viewer, count] of reminders) {
    const { unread, threads } = counts.get(viewer) ?? NONE
    counts.set(viewer, { unread: unread + count, threads })
  }
  return counts
}

const UNREAD = 'not read and $2::text is not null'

/** Reminders of messages that the viewer may read, and failed sends. */
async function unreadReminders({ db, clock }: Stores, viewers: Username[]): Promise<Map<Username, number>> {
  const { rows } = await db.query<Candidate>(
    `select viewer.name as viewer, item.*
       from unnest($1::text[]) as viewer (name)
      cross join lateral (${remindersOf(UNREAD, '$4')} union all ${failuresOf(UNREAD, '$4')}) item`,
    [viewers, EVERYONE, clock.now() - INBOX_KEPT, MOST_COUNTED],
  )
  const unread = Map.groupBy(rows, row => row.viewer)
  const mayRead = await presentReaders(db, unread)
  return new Map(
    [...unread].map(([viewer, list]) => [
      viewer,
      list.filter(one => one.kind === 'failed' || mayRead(viewer, one)).length,
    ]),
  )
}

/** Mentions and replies, and the followed threads that have some, in channels with unread messages only. */
async function unreadInChannels(stores: Stores, viewers: Username[]): Promise<Map<Username, Unread>> {
  const { rows } = await stores.db.query<{ viewer: Username } & Unread>(
    `with ${READABLE}
     select readable.viewer, count(*)::integer as unread,
            (count(distinct found.thread_id) filter (
               where exists (select from thread_follows follow
                              where follow.username = readable.viewer
                                and follow.root_id = found.thread_id
                                and follow.following)))::integer as threads
       from readable
       join channels channel on channel.id = readable.channel and channel.newest_ts > readable.last_read
      cross join lateral (${newestOf(['mention', 'reply'], 'item_ts > readable.last_read and not read', '$5')}) found
      group by readable.viewer`,
    [...readableChannelsValues(stores, viewers), stores.clock.now() - INBOX_KEPT, EVERYONE, MOST_COUNTED],
  )
  return new Map(rows.map(({ viewer, unread, threads }) => [viewer, { unread, threads }]))
}

interface Text {
  id: number
  sender: string
  content: string
  is_file: boolean
  root_id: number | null
}

/** Reads the listed messages that are not deleted by now. */
async function textsOf(db: Db, listed: Map<Username, Candidate[]>): Promise<Map<number, Text>> {
  const ids = [
    ...new Set([...listed.values()].flat().flatMap(one => (one.kind === 'failed' ? [] : one.message_id))),
  ]
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Text>(
    `select id, ${SHOWN_SENDER} as sender, left(coalesce(nullif(content, ''), extra->'file'->>'name', ''), 300) as content,
            coalesce(content, '') = '' as is_file, coalesce(thread_id, reply_to_id) as root_id
       from messages message
      where id = any($1) and deleted = 0 and ${IS_NOT_REMOVED}`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}

interface Failure {
  id: number
  content: string
  why: ScheduledFailure
}

async function failuresAmong(db: Db, listed: Map<Username, Candidate[]>): Promise<Map<number, Failure>> {
  const ids = [...listed.values()].flat().flatMap(one => (one.kind === 'failed' ? one.message_id : []))
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Failure>(
    `select id, left(text, 300) as content, failed_why as why from scheduled where id = any($1) and state = 'failed'`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}

function failedItem({ channel, item_ts: ts, read }: Candidate, failure: Failure | undefined): InboxItem[] {
  if (!failure) return []
  const { id, content, why } = failure
  const none = { message_id: null, root_id: null, actors: [], count: 0 }
  return [{ id: `s${id}`, kind: 'failed', channel, ...none, content, ts, read, why }]
}

interface Reactors {
  message_id: number
  count: number
  names: string[]
}

/** The people who reacted, without the author; the newest three by name. */
async function reactorsOf(db: Db, listed: Map<Username, Candidate[]>): Promise<Map<number, Reactors>> {
  const ids = [...listed.values()]
    .flat()
    .flatMap(({ kind, message_id }) => (kind === 'reaction' ? message_id : []))
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Reactors>(
    `select message_id, count(*)::integer as count, (array_agg(username order by ts desc, username))[1:3] as names
       from (select reactions.message_id, reactions.username, max(reactions.ts) as ts
               from reactions
               join messages message on message.id = reactions.message_id
              where message.id = any($1)
                and reactions.username <> message.sender
                and reactions.username not in (select username from account_deletions)
              group by reactions.message_id, reactions.username) reactor
      group by message_id`,
    [ids],
  )
  return new Map(rows.map(row => [row.message_id, row]))
}

function itemOf(
  { kind, channel, message_id, item_ts, activity_id, read }: Candidate,
  text: Text | undefined,
  reactors: Reactors | undefined,
): InboxItem[] {
  if (!text || (kind === 'reaction' && !reactors)) return []
  const people =
    kind === 'reaction'
      ? { actors: reactors!.names, count: reactors!.count }
      : { actors: [kind === 'added' ? adderIn(text.content) : text.sender], count: 1 }
  const id = kind === 'mention' ? `m${message_id}` : String(activity_id)
  const { content, is_file, root_id } = text
  const said = { content, ...(is_file && { is_file }) }
  return [{ id, kind, channel, message_id, root_id, ...people, ...said, ts: item_ts, read }]
}

/** The line begins with the name. */
const adderIn = (line: string): Username => line.split(' ', 1)[0]!
