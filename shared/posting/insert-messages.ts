import { managesPrivate, managesPublic, type Posting } from '#shared/access/access-of.ts'
import { seconds, takeMessageTimes, takeTimesOfMessages } from '#shared/channels/channel-clock.ts'
import type { Posted } from '#shared/channels/system-message.ts'
import type { MessageExtra } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type Db, positions, prepared } from '#shared/stores/postgres.ts'
import type { PathOfPost } from './client-ids.ts'
import { followersOf } from './followers.ts'

export interface PostRow {
  content: string | null
  filename: string | null
  extra?: MessageExtra
}

export interface Post {
  channel: ChannelId
  sender: Username
  /** Rows in order: a text, then a file each (interface 4.3). */
  rows: PostRow[]
  /** Mentions of the first row. */
  mentions: string[] | null
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
  /** The request that the client id belongs to. Default: `/send`. */
  path?: PathOfPost
  /** The place in the channel of the first row, if that was sent before. */
  firstOrd?: number | undefined
  /** For a DM: the users for whom its first message opens it. */
  participants: Username[]
  /** Sent without the person: their unread messages stay unread. */
  isAway?: boolean
}

export interface Sent extends Posted {
  /** The sender had marked the channel as unread, which ends with the send. */
  endsMark: boolean
  /** The sender had not joined the public channel, which the send does. */
  joins: boolean
  /** The DM appears in the lists of participants: it is new, or was closed. */
  opens: boolean
  /** For a reply: people whose inbox may list it, more than a notice names if they are many. */
  followers: Username[] | null
}

/** The largest smallint. */
const MOST_PARTS = 32_767

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
  'extras',
  'firstOrd',
  'path',
  'place',
)

/**
 * The whole history of a DM may be replied to. `place` in a DM: its participants, whose accounts are locked in the order
 * of names, as renaming and deletion do. Empty if one of them got another name, which closes the id: rows there would be
 * seen by nobody.
 */
const PARTICIPANT = `people as materialized (
  select username, state from users where username = any(${$.place}::text[]) order by username for share
), allowed as (
  select 0::double precision as history_start, true as joined
    from people
   where username = ${$.sender}
     and state is not distinct from 'active'
     and (select count(*) from people) = (select count(*) from users where username = any(${$.place}::text[]))
     and not exists (select from unnest(${$.place}::text[]) as name where account_named(name) <> name)
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

/** Moves the sender's read marker to the send, which ends an earlier mark as unread. */
const READ = `
    insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
    select ${$.channel}, ${$.sender}, max(ts), max(ord) from posted
    having max(ts) is not null
    on conflict (channel, username) do update
       set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
           last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
           unread_from_ts = null,
           unread_from_ord = null`

/**
 * Moves the marker of a sender who had read all; for others a mark as unread begins after the marker, which counts no own
 * messages. Mentions and receipts stay as they were.
 */
const KEEP_UNREAD = `
    insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord)
    select ${$.channel}, ${$.sender}, case when is_first then ts else 0 end, case when is_first then ord else 0 end,
           case when not is_first then 0.000001 end, case when not is_first then 1 end
      from (select max(ts) as ts, max(ord) as ord, min(ord) = 1 as is_first from posted having max(ts) is not null) sent
    on conflict (channel, username) do update
       set (last_read_ts, last_read_ord, unread_from_ts, unread_from_ord) = (
             select case when is_next then sent.ts else marker.last_read_ts end,
                    case when is_next then sent.ord else marker.last_read_ord end,
                    case when not is_next then coalesce(marker.unread_from_ts, marker.last_read_ts + 0.000001) end,
                    case when not is_next then coalesce(marker.unread_from_ord, marker.last_read_ord + 1) end
               from (select max(ts) as ts, max(ord) as ord,
                            marker.unread_from_ts is null and marker.last_read_ord = min(ord) - 1 as is_next
                       from posted) sent)`

const HAD_MARK = `exists (
           select from read_watermarks
            where channel = ${$.channel} and username = ${$.sender} and unread_from_ts is not null)`

interface Kind {
  allowed: string
  /** Made with its row, which only the deletion of the channel removes: a send does not bring it back. */
  isMade?: boolean
  condition?: string
  /** A further part of the statement, with its columns `joins` and `opens`. */
  also?: string
  columns?: string
}

/** Place in a send, counted from its first row, which may have been sent before. */
const PART = `
           case when ${$.firstOrd}::bigint is not null
                then least(message_count - ${$.count} + place - ${$.firstOrd} + 1, ${MOST_PARTS})
                when place = 1 then 0
                else place end`

/**
 * Only the parts that the kind of channel needs. Conditions beside a unique key are `is not distinct from`, which no index
 * serves: the plan of a prepared statement, made while the tables were small, must use the key.
 */
const insertStatement = ({ allowed, isMade, condition = '', also, columns }: Kind, marker = READ) => `
  with ${allowed}, tick as (
    ${(isMade ? takeTimesOfMessages : takeMessageTimes)($.channel, $.count, 'allowed', condition)}
  ), posted as (
    insert into messages (channel, ord, sender, content, filename, ts, reply_to_id, thread_id, part, mentions, extra,
                          content_type)
    select ${$.channel}, message_count - ${$.count} + place, ${$.sender}, item.content, item.filename,
           ${seconds(`clock_us - ${$.count} + place`)},
           parent.id, parent.root_id, ${PART}, case when place = 1 then ${$.mentions} end,
           item.extra::jsonb, 'text'
      from tick
     cross join unnest(${$.contents}::text[], ${$.filenames}::text[], ${$.extras}::text[])
                with ordinality as item (content, filename, extra, place)
      left join (
           select parent.id,
                  coalesce(parent.thread_id, case when parent.reply_to_id is null then parent.id else thread_root(parent.id) end) as root_id
             from messages parent, allowed
            where parent.id = ${$.replyTo} and parent.channel is not distinct from ${$.channel} and parent.ts >= allowed.history_start
           ) parent on true
    returning id, ts, ord, reply_to_id, thread_id
  ), mentioned as (
    insert into message_mentions (channel, username, ts, message_id)
    select ${$.channel}, name, first.ts, first.id
      from (select id, ts from posted order by ts limit 1) first
     cross join unnest(${$.mentioned}::text[]) as name
  ), remembered as (
    insert into client_ids (sender, client_id, message_id, ts, path)
    select ${$.sender}, ${$.clientId}::uuid, id, ts, ${$.path}::text
      from posted
     where ${$.clientId}::uuid is not null
     order by ts limit 1
  ), marker as (${marker}
  )${also ? `, ${also}` : ''}
  select id, ts, ord, ${columns ?? 'false as joins, false as opens'},
         ${followersOf('posted')} as followers,
         ${marker === READ ? HAD_MARK : 'false'} as "endsMark"
    from posted
   order by ts`

/** By the kind of the channel and who may write. */
function statementsWith(marker: string) {
  const inPublic = (isConfigured: boolean, condition: string) =>
    insertStatement(
      {
        allowed: readerOfPublic(isConfigured),
        isMade: !isConfigured,
        condition,
        also: JOINING,
        columns: JOINS,
      },
      marker,
    )
  const asGuest = (isConfigured: boolean) =>
    insertStatement(
      { allowed: guestOfPublic(isConfigured), isMade: !isConfigured, condition: IS_OPEN },
      marker,
    )
  const inPrivate = (condition: string) =>
    insertStatement({ allowed: MEMBER, isMade: true, condition }, marker)
  const managed = isOpenOrManagedBy(managesPublic($.channel))
  return {
    dm: insertStatement({ allowed: PARTICIPANT, also: OPENING, columns: OPENS }, marker),
    configured: {
      everyone: inPublic(true, IS_OPEN),
      managers: inPublic(true, managed),
      guest: asGuest(true),
    },
    madeHere: {
      everyone: inPublic(false, IS_OPEN),
      managers: inPublic(false, managed),
      guest: asGuest(false),
    },
    private: {
      everyone: inPrivate(IS_OPEN),
      managers: inPrivate(isOpenOrManagedBy(managesPrivate($.channel, $.place))),
    },
  }
}

const { dm, configured, madeHere, private: inPrivate } = statementsWith(READ)
const INSERT = {
  dm,
  configured: preparedWhereFrequent(configured),
  madeHere: preparedWhereFrequent(madeHere),
  private: preparedWhereFrequent(inPrivate),
}
const INSERT_AWAY = statementsWith(KEEP_UNREAD)

function preparedWhereFrequent<T extends { everyone: string; guest?: string }>(statements: T) {
  const { everyone, guest } = statements
  return {
    ...statements,
    everyone: prepared(everyone),
    ...(guest === undefined ? {} : { guest: prepared(guest) }),
  }
}

/**
 * Inserts the rows of a send with everything that belongs to them at the channel's next times, in one statement: the
 * channel's row is locked for one round trip. The sender's account, and the membership of a guest or in a private
 * channel, is locked before the clock, and in a DM the accounts of all participants: a concurrent departure, change of
 * role, deactivation or renaming comes after the message, or no rows are returned. The same holds for a change of who may write, which is read from the locked row of the channel.
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
    post.rows.map(row => (isEmpty(row.extra) ? null : JSON.stringify(row.extra))),
    post.firstOrd ?? null,
    post.path ?? '/send',
  ]
  const { memberOf, isConfigured, isGuest, posting, isAway } = post
  const insert = isAway ? INSERT_AWAY : INSERT
  if (memberOf !== undefined)
    return (await db.query<Sent>(insert.private[posting], [...values, memberOf])).rows
  if (isConfigured === undefined)
    return (await db.query<Sent>(insert.dm, [...values, post.participants])).rows
  const statements = insert[isConfigured ? 'configured' : 'madeHere']
  const { rows } = await db.query<Sent>(statements[isGuest ? 'guest' : posting], values)
  return rows
}

const isEmpty = (extra: MessageExtra = {}) => Object.keys(extra).length === 0

/** JSON text of the details of a message that mentions groups (interface 10.22); null without one. */
export const extraOf = (groups: readonly string[]) =>
  groups.length === 0 ? null : JSON.stringify({ groups })
