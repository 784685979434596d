import { managesPrivate, managesPublic, type Posting } from '#shared/access/access-of.ts'
import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { seconds, takeMessageTimes, takeTimes } from '#shared/channels/channel-clock.ts'
import type { Posted } from '#shared/channels/system-message.ts'
import {
  MESSAGE_COLUMNS,
  MESSAGE_FIELDS,
  type MessageRow,
  payloadOf,
  TOMBSTONE_COLUMNS,
  TOMBSTONES_FROM,
} from '#shared/collections/messages.ts'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { MOST_REACTIONS } from '#shared/domain/reactions.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Db, positions, prepared } from '#shared/stores/postgres.ts'

export interface Post {
  channel: ChannelId
  sender: Username
  /** Rows in order: a text, then an image each (interface 4.3). */
  rows: { content: string | null; filename: string | null }[]
  /** Mentions of the first row. */
  mentions: string[] | null
  /** Handles of the groups in it. */
  groups?: readonly string[]
  replyTo: number | undefined
  /** The private channel of which the sender must be a member. */
  memberOf: number | undefined
  /** A public channel: whether it is one of the settings. Undefined for others. */
  isConfigured: boolean | undefined
  /** The role of the sender as the access check found it. No rows are returned for a member who became a guest. */
  isGuest?: boolean
  /** The posting of the channel as the sender found it. No rows are returned if this became stricter. */
  posting: Posting
  clientId: string | undefined
  /** For a DM: the users for whom its first message opens it. */
  participants: Username[]
}

export interface Sent extends Posted {
  /** The sender had marked the channel as unread, which ends with the send. */
  endsMark: boolean
  /** The sender had not joined the public channel, which the send does. */
  joins: boolean
  /** The DM appears in the lists of participants: it is new, or was closed. */
  opens: boolean
  /** The author of the message that it replies to. */
  parentSender: string | null
}

/** Parameters of the statements below by name: `$.sender` is `$3`. */
const $ = positions(
  'channel',
  'count',
  'sender',
  'contents',
  'filenames',
  'replyTo',
  'mentions',
  'mentioned',
  'clientId',
  'extra',
  'place',
)

/**
 * Locks the sender's account, as deletion and deactivation do; the whole history of a DM may be replied to. `place` in a
 * DM: its participants.
 */
const PARTICIPANT = `allowed as (
  select 0::double precision as history_start, true as joined
    from users
   where username = ${$.sender} and state is not distinct from 'active'
     for share
)`

/** Members of the workspace, who have joined by default or by a decision. Locks the sender's account. */
const readerOfPublic = (isConfigured: boolean) => `allowed as (
  select 0::double precision as history_start,
         coalesce(
           (select joined from channel_memberships where username = account.username and channel = ${$.channel}),
           ${isConfigured ? 'true' : `(select is_default from channel_properties where channel = ${$.channel})`}) as joined
    from users account
   where account.username = ${$.sender}
     and account.state is not distinct from 'active'
     and account.role <> 'guest'
     ${isConfigured ? '' : IS_MADE_HERE}
     for share of account
)`

/** Guests, who read the channels that they have joined. Locks the sender's account and membership, as removal does. */
const guestOfPublic = (isConfigured: boolean) => `author as (
  select username from users where username = ${$.sender} and state is not distinct from 'active' for share
), allowed as (
  select 0::double precision as history_start
    from channel_memberships
   where username = ${$.sender} and channel = ${$.channel} and joined and exists (select from author)
     ${isConfigured ? '' : IS_MADE_HERE}
     for share
)`

const IS_MADE_HERE = `and exists (
           select from channel_properties where channel = ${$.channel} and kind is not distinct from 'public' and made_here)`

/** `place`: the id of the private channel. Locks the sender's account and membership, as leaving and deletion do. */
const MEMBER = `author as (
  select username from users where username = ${$.sender} and state is not distinct from 'active' for share
), allowed as (
  select coalesce(history_start_ts, 0) as history_start, true as joined
    from private_channel_members
   where channel_id = ${$.place} and username = ${$.sender} and exists (select from author)
     for key share
)`

/** Everybody may write, according to the row of the channel once it is locked. */
const IS_OPEN = `channel.posting = 'everyone'`

/** The same, or the sender is a manager. */
const isOpenOrManagedBy = (manages: string) => `
  ${IS_OPEN}
  or (channel.posting = 'managers'
      and exists (select from users account where account.username = ${$.sender} and ${manages}))`

/** Opens the DM for its participants. */
const OPENING = `participants as (
    insert into dm_participants (username, channel)
    select users.username, ${$.channel}
      from tick cross join users
     where users.username = any(${$.place}::text[])
    on conflict do nothing
    returning username
  )`

const OPENS = `exists (select from participants) or exists (
           select from hidden_dms hidden
             join channels channel on channel.id = hidden.channel
            where hidden.channel = ${$.channel}
              and hidden.username = any(${$.place}::text[])
              and hidden.hidden_ts >= channel.newest_ts) as opens, false as joins`

/** Joins the public channel. */
const JOINING = `joining as (
    insert into channel_memberships as membership (username, channel, joined, changed_ts)
    select ${$.sender}, ${$.channel}, true, ${seconds('clock_us')}
      from tick cross join allowed
     where not allowed.joined
    on conflict (username, channel) do update
       set joined = true, changed_ts = excluded.changed_ts
    returning username
  )`

const JOINS = 'exists (select from joining) as joins, false as opens'

interface Kind {
  allowed: string
  condition?: string
  /** A further part of the statement, with its columns `joins` and `opens`. */
  also?: string
  columns?: string
}

/**
 * Only the parts that the kind of channel needs. Conditions beside a unique key are `is not distinct from`, which no index
 * serves: the plan of a prepared statement, made while the tables were small, must use the key.
 */
const insertStatement = ({ allowed, condition = '', also, columns }: Kind) => `
  with ${allowed}, tick as (
    ${takeMessageTimes($.channel, $.count, 'allowed', condition)}
  ), posted as (
    insert into messages (channel, ord, sender, content, filename, ts, reply_to_id, mentions, extra, content_type)
    select ${$.channel}, message_count - ${$.count} + place, ${$.sender}, item.content, item.filename,
           ${seconds(`clock_us - ${$.count} + place`)},
           (select parent.id
              from messages parent, allowed
             where parent.id = ${$.replyTo} and parent.channel is not distinct from ${$.channel} and parent.ts >= allowed.history_start),
           case when place = 1 then ${$.mentions} end, case when place = 1 then ${$.extra}::jsonb end, 'text'
      from tick
     cross join unnest(${$.contents}::text[], ${$.filenames}::text[]) with ordinality as item (content, filename, place)
    returning id, ts, ord, reply_to_id
  ), mentioned as (
    insert into message_mentions (channel, username, ts, message_id)
    select ${$.channel}, name, first.ts, first.id
      from (select id, ts from posted order by ts limit 1) first
     cross join unnest(${$.mentioned}::text[]) as name
  ), remembered as (
    insert into client_ids (sender, client_id, message_id, ts)
    select ${$.sender}, ${$.clientId}::uuid, id, ts
      from posted
     where ${$.clientId}::uuid is not null
     order by ts limit 1
  ), marker as (
    insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
    select ${$.channel}, ${$.sender}, max(ts), max(ord) from posted
    having max(ts) is not null
    on conflict (channel, username) do update
       set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
           last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
           unread_from_ts = null,
           unread_from_ord = null
  )${also ? `, ${also}` : ''}
  select id, ts, ord, ${columns ?? 'false as joins, false as opens'},
         (select parent.sender from messages parent where parent.id = posted.reply_to_id) as "parentSender",
         exists (
           select from read_watermarks
            where channel = ${$.channel} and username = ${$.sender} and unread_from_ts is not null) as "endsMark"
    from posted
   order by ts`

/** Ids with a name given up by renaming are closed. */
const INSERT_IN_DM = insertStatement({ allowed: PARTICIPANT, also: OPENING, columns: OPENS })

const insertInPublic = (isConfigured: boolean, condition: string) =>
  insertStatement({ allowed: readerOfPublic(isConfigured), condition, also: JOINING, columns: JOINS })
const insertAsGuest = (isConfigured: boolean) =>
  insertStatement({ allowed: guestOfPublic(isConfigured), condition: IS_OPEN })
const insertInPrivate = (condition: string) => insertStatement({ allowed: MEMBER, condition })

/** By the kind of the channel and who may write; the frequent ones are prepared. */
const INSERT = {
  configured: {
    everyone: prepared(insertInPublic(true, IS_OPEN)),
    managers: insertInPublic(true, isOpenOrManagedBy(managesPublic($.channel))),
    guest: prepared(insertAsGuest(true)),
  },
  madeHere: {
    everyone: prepared(insertInPublic(false, IS_OPEN)),
    managers: insertInPublic(false, isOpenOrManagedBy(managesPublic($.channel))),
    guest: prepared(insertAsGuest(false)),
  },
  private: {
    everyone: prepared(insertInPrivate(IS_OPEN)),
    managers: insertInPrivate(isOpenOrManagedBy(managesPrivate($.channel, $.place))),
  },
}

/**
 * Inserts the rows of a send with everything that belongs to them at the channel's next times, in one statement: the
 * channel's row is locked for one round trip. The sender's account, and the membership of a guest or in a private
 * channel, is locked before the clock: a concurrent departure, change of role or deactivation comes after the message, or
 * no rows are returned. The same holds for a change of who may write, which is read from the locked row of the channel.
 */
export async function insertMessages(db: Db, post: Post): Promise<Sent[]> {
  const values = [
    post.channel,
    post.rows.length,
    post.sender,
    post.rows.map(row => row.content),
    post.rows.map(row => row.filename),
    post.replyTo ?? null,
    post.mentions && JSON.stringify(post.mentions),
    post.mentions ?? [],
    post.clientId ?? null,
    extraOf(post.groups ?? []),
  ]
  const { memberOf, isConfigured, isGuest, posting } = post
  if (memberOf !== undefined)
    return (await db.query<Sent>(INSERT.private[posting], [...values, memberOf])).rows
  if (isConfigured === undefined)
    return (await db.query<Sent>(INSERT_IN_DM, [...values, post.participants])).rows
  const statements = INSERT[isConfigured ? 'configured' : 'madeHere']
  const { rows } = await db.query<Sent>(statements[isGuest ? 'guest' : posting], values)
  return rows
}

/** JSON text of the details of a message that mentions groups (interface 10.22); null without one. */
const extraOf = (groups: readonly string[]) => (groups.length === 0 ? null : JSON.stringify({ groups }))

export interface EarlierSend {
  id: number
  /** null when the row no longer exists. */
  channel: ChannelId | null
  /** JSON text, as in a message. */
  mentions: string | null
  /** The author of the message that it replies to. */
  parentSender: string | null
  isForgotten: boolean
}

/** The first row of an earlier send with this id, and whether the id has expired. */
export async function messageOfClientId(
  db: Db,
  sender: Username,
  clientId: string,
): Promise<EarlierSend | undefined> {
  const { rows } = await db.query<EarlierSend>(
    `select sent.message_id as id, message.channel, message.mentions, parent.sender as "parentSender",
            sent.ts < ${CLIENT_IDS_FROM} as "isForgotten"
       from client_ids sent
       left join messages message on message.id = sent.message_id
       left join messages parent on parent.id = message.reply_to_id
      where sent.sender = $1 and sent.client_id = $2`,
    [sender, clientId],
  )
  return rows[0]
}

/** Decisions, Idempotent send. The janitor deletes ids that are not reused. */
const CLIENT_IDS_FROM = 'extract(epoch from now()) - 24 * 3600'

/** Deletes an expired client id, so that it can be reused; one inserted meanwhile stays. */
export async function forgetClientId(db: Db, sender: Username, clientId: string): Promise<void> {
  await db.query(`delete from client_ids where sender = $1 and client_id = $2 and ts < ${CLIENT_IDS_FROM}`, [
    sender,
    clientId,
  ])
}

/**
 * Replaces a text with its mentions and groups; triggers update the mention index and the search text
 * (0018_message_texts.sql). Returns undefined when the message is gone, deleted, no longer the editor's, or has a file,
 * or the channel is archived.
 */
export async function replaceContent(
  db: Db,
  id: number,
  sender: Username,
  channel: ChannelId,
  content: string,
  { mentions, groups }: { mentions: readonly string[] | null; groups: readonly string[] },
): Promise<Before | undefined> {
  const { rows } = await db.query<BeforeRow>(
    `with tick as (
       update channels channel set ${takeTimes()} where id = $2 and posting <> 'nobody' returning clock_us
     ), ${HELD}, edited as (
       update messages
          set content = $3, mentions = $4, edited = 1, edited_ts = ${seconds('clock_us')},
              extra = nullif(coalesce(extra, '{}') - 'groups' || coalesce($6::jsonb, '{}'), '{}')
         from held
        where messages.id = held.id and deleted = 0 and filename is null and sender = $5
       returning held.before, held."parentSender"
     )
     select before, "parentSender" from edited`,
    [id, channel, content, mentions && JSON.stringify(mentions), sender, extraOf(groups)],
  )
  return rows[0] && beforeOf(rows[0])
}

/** The state of a message before a change, for its notice. */
export interface Before {
  mentions: string[]
  /** The author of the message that it replies to. */
  parentSender: string | null
}

interface BeforeRow {
  before: string | null
  parentSender: string | null
}

const beforeOf = ({ before, parentSender }: BeforeRow): Before => ({
  mentions: before === null ? [] : JSON.parse(before),
  parentSender,
})

/** The newest version of the message, locked after the clock, so that concurrent changes see each other. */
const HELD = `held as (
       select message.id, message.mentions as before, tick.clock_us,
              (select parent.sender from messages parent where parent.id = message.reply_to_id) as "parentSender"
         from tick
        cross join lateral (
              select id, mentions, reply_to_id
                from messages
               where id = $1 and tick.clock_us > 0
                 for no key update) message
     )`

/**
 * Leaves a tombstone. `by`: the sender whose message it must be, or a moderator, who removes those of everybody. Returns
 * undefined for a message deleted before, which stays unchanged.
 */
export async function buryMessage(
  db: Db,
  id: number,
  channel: ChannelId,
  by: { sender: Username } | { moderator: Username },
): Promise<Before | undefined> {
  const { rows } = await db.query<BeforeRow>(
    `with tick as (
       update channels channel set ${takeTimes()}
        where id = $2 and exists (select from messages where messages.id = $1 and deleted = 0)
       returning clock_us
     ), ${HELD}, buried as (
       update messages
          set deleted = 1, deleted_ts = ${seconds('clock_us')},
              content = null, filename = null, mentions = null,
              extra = case when $4::text is not null then jsonb_build_object('removed_by', $4::text) end
         from held
        where messages.id = held.id and deleted = 0 and ($3::text is null or sender = $3)
       returning held.before, held."parentSender"
     )
     select before, "parentSender" from buried`,
    [id, channel, 'sender' in by ? by.sender : null, 'moderator' in by ? by.moderator : null],
  )
  return rows[0] && beforeOf(rows[0])
}

export interface Reacting {
  id: number
  channel: ChannelId
  /** The private channel of which the reactor must be a member. */
  memberOf: number | undefined
  reactor: Username
  emoji: string
  /** undefined: toggle. */
  wanted: boolean | undefined
}

export type Reacted =
  | { outcome: 'done'; reactions: string }
  | {
      outcome: 'signed out' | 'not found' | 'archived' | 'too many of the person' | 'too many of the message'
    }

/**
 * Sets or removes a reaction; returns the JSON text of {emoji: [username, …]}
 * (0053_reactions_in_archived_channels.sql).
 */
export async function react(db: Db, reacting: Reacting): Promise<Reacted> {
  const { rows } = await db.query<{ outcome: Reacted['outcome']; reactions: string }>(
    'select outcome, answer as reactions from react($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      reacting.id,
      reacting.channel,
      reacting.memberOf ?? null,
      reacting.reactor,
      reacting.emoji,
      reacting.wanted ?? null,
      MOST_REACTIONS.ofPerson,
      MOST_REACTIONS.ofMessage,
    ],
  )
  return rows[0] as Reacted
}

/** A row's position and size, without its text. */
export interface RowPlace {
  id: number
  ts: Seconds
  /** Approximate length of its text and reactions in the response. */
  bytes: number
}

const PLACE = `
  message.id, message.ts,
  300 + coalesce(octet_length(message.content), 0)
      + case when message.reactions_ts is null then 0
             else 40 * (select count(*) from reactions where message_id = message.id) end as bytes`
const REMOVED_PLACE = 'removed.id, removed.ts, 300 as bytes'

/** Rows that changed after the cursor, or were removed since, in order of change. */
export async function placesChanged(
  db: Db,
  channel: ChannelId,
  range: { after: Seconds; limit: number },
): Promise<RowPlace[]> {
  const { rows } = await db.query<RowPlace>(
    `select id, ts, bytes
       from ((select ${PLACE}, message.changed_ts
                from messages message
               where message.channel = $1 and message.changed_ts > $2 and ${IS_NOT_REMOVED}
               order by message.changed_ts
               limit $3)
             union all
             (select ${REMOVED_PLACE}, removed.removed_ts
                from removed_messages removed
               where removed.channel = $1 and removed.removed_ts > greatest($2, ${TOMBSTONES_FROM})
               order by removed.removed_ts
               limit $3)) place
      order by changed_ts
      limit $3`,
    [channel, range.after, range.limit],
  )
  return rows
}

/** Rows after a time that changed after the cursor, oldest first; with a cursor also rows removed since. */
export async function placesFrom(
  db: Db,
  channel: ChannelId,
  range: { from: Seconds; changedAfter: Seconds; limit: number },
): Promise<RowPlace[]> {
  const changed = `
    select ${PLACE}
      from messages message
     where message.channel = $1 and message.ts > $2 and message.changed_ts > $3 and ${IS_NOT_REMOVED}
     order by message.ts
     limit $4`
  const removed = `
    select ${REMOVED_PLACE}
      from removed_messages removed
     where removed.channel = $1 and removed.ts > $2 and removed.removed_ts > greatest($3, ${TOMBSTONES_FROM})
     order by removed.ts
     limit $4`
  const { rows } = await db.query<RowPlace>(
    `select id, ts, bytes
       from (${range.changedAfter > 0 ? `(${changed}) union all (${removed})` : changed}) place
      order by ts
      limit $4`,
    [channel, range.from, range.changedAfter, range.limit],
  )
  return rows
}

/** The newest rows before a time and not before the history's start, oldest first. */
export async function placesBefore(
  db: Db,
  channel: ChannelId,
  range: { before: Seconds; historyStart: Seconds; limit: number },
): Promise<RowPlace[]> {
  const { rows } = await db.query<RowPlace>(
    `select ${PLACE}
       from messages message
      where message.channel = $1 and message.ts < $2 and message.ts >= $3 and ${IS_NOT_REMOVED}
      order by message.ts desc
      limit $4`,
    [channel, range.before, range.historyStart, range.limit],
  )
  return rows.reverse()
}

/** These rows of a channel, oldest first; with `tellsRemoved`, a bare tombstone for each removed one. */
export async function rowsAt(
  db: Db,
  channel: ChannelId,
  ids: number[],
  tellsRemoved: boolean,
): Promise<MessagePayload[]> {
  const present = `
    select ${MESSAGE_COLUMNS}
      from messages message
     where message.id = any($2) and message.channel = $1 and ${IS_NOT_REMOVED}`
  const removed = `
    select ${TOMBSTONE_COLUMNS}
      from removed_messages removed
     where removed.id = any($2) and removed.channel = $1`
  const { rows } = await db.query<MessageRow>(
    `select ${MESSAGE_FIELDS}
       from (${tellsRemoved ? `(${present}) union all (${removed})` : present}) row
      order by ts, id`,
    [channel, ids],
  )
  return rows.map(payloadOf)
}

/** True once the channel has had a message. */
export async function channelExists(db: Db, channel: ChannelId): Promise<boolean> {
  const { rowCount } = await db.query('select from channels where id = $1', [channel])
  return rowCount !== 0
}

/** Accounts among these lower-case names with their states; none that waits for approval. */
export async function participantsNamed(
  db: Db,
  keys: string[],
): Promise<{ username: Username; isActive: boolean }[]> {
  const { rows } = await db.query<{ username: Username; isActive: boolean }>(
    `select username, state = 'active' as "isActive"
       from users
      where username_key = any($1) and state <> 'pending'`,
    [keys],
  )
  return rows
}

/** Active accounts among these lower-case names that may read a public channel, in the order of member lists. */
export async function publicReadersNamed(db: Db, channel: ChannelId, keys: string[]): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from users account
      where username_key = any($2)
        and state = 'active'
        and (role <> 'guest' or exists (
              select from channel_memberships membership
               where membership.username = account.username and membership.channel = $1 and joined))
      order by username_key`,
    [channel, keys],
  )
  return rows.map(row => row.username)
}

/** The active members of a private channel among these names, in order of joining. */
export async function privateMembersNamed(db: Db, channelId: number, keys: string[]): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from private_channel_members
      where channel_id = $1
        and lower(username) = any($2)
        and username not in (select username from users where state <> 'active')
      order by join_order`,
    [channelId, keys],
  )
  return rows.map(row => row.username)
}
