import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { seconds, takeTimes } from '#shared/channels/channel-clock.ts'
import {
  BARE_MESSAGE_COLUMNS,
  MESSAGE_BYTES,
  MESSAGE_COLUMNS,
  MESSAGE_FIELDS,
  type MessageRow,
  payloadOf,
  TOMBSTONE_COLUMNS,
  TOMBSTONES_FROM,
} from '#shared/collections/messages.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { MOST_REACTIONS } from '#shared/domain/reactions.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { followersOf } from '#shared/posting/followers.ts'
import { extraOf } from '#shared/posting/insert-messages.ts'
import type { OfProgram } from '#shared/posting/post.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Replaces a text with its mentions and groups; triggers update the mention index and the search text
 * (0001_baseline.sql). Returns undefined when the message is gone, deleted, no longer the editor's, or has a file.
 */
export async function replaceContent(
  db: Db,
  id: number,
  sender: Username,
  channel: ChannelId,
  content: string,
  { mentions, groups }: { mentions: readonly string[] | null; groups: readonly string[] },
  { keepsEarlier, ofProgram }: { keepsEarlier: boolean; ofProgram?: OfProgram | undefined },
): Promise<Before | undefined> {
  const { rows } = await db.query<BeforeRow>(
    `with tick as (
       update channels channel set ${takeTimes()} where id = $2 returning clock_us
     ), ${LOCKED}, edited as (
       update messages
          set content = $3, mentions = $4, edited = 1, edited_ts = ${seconds('clock_us')},
              extra = nullif(coalesce(extra, '{}') - '{groups,forward,cards,cards_at}'::text[] || coalesce($6::jsonb, '{}'), '{}')
         from locked
        where messages.id = locked.id and deleted = 0 and filename is null and sender = $5
       returning locked.before, locked.followers, locked.content, locked.clock_us,
                 locked.ts, coalesce(locked.edited_ts, locked.ts) as written_ts
     )${keepsEarlier ? KEPT : ''}
     select before, followers from edited`,
    [id, channel, content, mentions && JSON.stringify(mentions), sender, extraOf(groups, ofProgram)],
  )
  return rows[0] && beforeOf(rows[0])
}

/** Corrections within this time after the send leave no earlier version. */
const CORRECTED_WITHIN: Seconds = 60

/** Earlier versions of a message: the newest. */
const MOST_VERSIONS = 100

/** Keeps the replaced text (interface 11.7). */
const KEPT = `, kept as (
       insert into message_edits (message_id, ts, content)
       select $1, written_ts, content
         from edited
        where content <> $3 and ${seconds('clock_us')} > ts + ${CORRECTED_WITHIN}
       on conflict do nothing
     ), trimmed as (
       delete from message_edits
        using edited
        where message_id = $1
          and message_edits.ts <= (select version.ts
                                     from message_edits version
                                    where version.message_id = $1
                                    order by version.ts desc
                                   offset ${MOST_VERSIONS - 1}
                                    limit 1)
     )`

/** The state of a message before a change, for its notice. */
export interface Before {
  mentions: string[]
  /** For a reply: people whose inbox may list it. */
  followers: Username[]
}

interface BeforeRow {
  before: string | null
  followers: Username[] | null
}

const beforeOf = ({ before, followers }: BeforeRow): Before => ({
  mentions: before === null ? [] : JSON.parse(before),
  followers: followers ?? [],
})

/** The newest version of the message, locked after the clock, so that concurrent changes see each other. */
const LOCKED = `locked as (
       select message.id, message.mentions as before, message.content, message.ts, message.edited_ts, tick.clock_us,
              ${followersOf('message')} as followers
         from tick
        cross join lateral (
              select id, mentions, reply_to_id, thread_id, content, ts, edited_ts
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
     ), ${LOCKED}, buried as (
       update messages
          set deleted = 1, deleted_ts = ${seconds('clock_us')},
              content = null, filename = null, mentions = null,
              extra = case when $4::text is not null then jsonb_build_object('removed_by', $4::text) end
         from locked
        where messages.id = locked.id and deleted = 0 and ($3::text is null or sender = $3)
       returning locked.before, locked.followers
     )
     select before, followers from buried`,
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
 * (0001_baseline.sql).
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

const PLACE = `message.id, message.ts, ${MESSAGE_BYTES} as bytes`
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

/** These rows of a channel, oldest first; with `tellsRemoved`, a bare tombstone for each removed one. `withExtra`: 11.6. */
export async function rowsAt(
  db: Db,
  channel: ChannelId,
  ids: number[],
  { tellsRemoved, withExtra }: { tellsRemoved: boolean; withExtra: boolean },
): Promise<MessagePayload[]> {
  const present = `
    select ${withExtra ? MESSAGE_COLUMNS : BARE_MESSAGE_COLUMNS}
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
