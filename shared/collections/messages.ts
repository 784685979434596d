import { IS_NOT_REMOVED, SHOWN_MENTIONS, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { readersOf } from '#shared/access/readers.ts'
import type { EventPayloads } from '#shared/domain/payloads/events.ts'
import type { MessageExtra, MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export const messages = {
  event: 'messages' as const satisfies keyof EventPayloads,
  scope: 'channel' as const,
  minInterval: 100 as Milliseconds,
  /** Interface 6: the longest time between two evaluations. */
  maxInterval: 30_000 as Milliseconds,

  /**
   * Reads the rows that changed after the cursor, at most `limit`, in order of change, once for all viewers. `readers`
   * tells who may see them and from when; `visibleTo()` filters them per viewer. Readers are looked up after the rows:
   * they were readers when the rows were written, so that a former member gets nothing newer. A read with a cursor
   * includes tombstones of removed messages; a read from the beginning does not need them. `mostText`: bytes of text at
   * most, except for the first row, since the cursor must move. `isLast`: no rows follow.
   */
  async read(
    stores: Stores,
    viewers: Iterable<Username>,
    channel: ChannelId,
    after: Seconds,
    limit: number,
    tellsRemoved = after > 0,
    mostText = Number.MAX_SAFE_INTEGER,
  ): Promise<{ rows: MessagePayload[]; readers: Map<Username, Seconds>; isLast: boolean }> {
    const rows =
      after === Infinity ? [] : await changedAfter(stores.db, channel, after, limit, tellsRemoved, mostText)
    const readers = await readersOf(stores, viewers, channel)
    const isLast = rows.length < limit && !rows.some(row => row.more)
    return {
      rows: readers.size === 0 ? [] : rows.map(({ more: _, ...row }) => payloadOf(row)),
      readers,
      isLast,
    }
  },
}

/** Returns the time of the channel's newest change, 0 in an empty channel: the cursor of an up-to-date stream. */
export async function newestChange({ db }: Stores, channel: ChannelId): Promise<Seconds> {
  const { rows } = await db.query<{ newest: Seconds | null }>(
    `select greatest(
              (select max(changed_ts) from messages where channel = $1),
              (select max(removed_ts) from removed_messages where channel = $1)) as newest`,
    [channel],
  )
  return rows[0]?.newest ?? 0
}

/** Filters by the viewer's history: `ts` decides, not the edit time (security 6). Returns `rows` if all are visible. */
export function visibleTo(rows: MessagePayload[], historyStart: Seconds): MessagePayload[] {
  if (historyStart <= 0 || rows.every(row => row.ts >= historyStart)) return rows
  return rows.filter(row => row.ts >= historyStart)
}

/** A row of MESSAGE_COLUMNS. */
export type MessageRow = Omit<MessagePayload, 'extra'> & { extra: MessageExtra | null }

/** The message object with `extra`, if there is something in it. */
export function payloadOf({ extra, ...row }: MessageRow): MessagePayload {
  return extra === null ? row : { ...row, extra }
}

/** The message objects of the interface. */
export const withoutExtra = (rows: MessagePayload[]): MessagePayload[] =>
  rows.some(row => row.extra) ? rows.map(({ extra: _, ...row }) => row) : rows

/**
 * `extra` as stored, with the thread of a reply, its place in a send, and the replies to a root (interface 11.2). A reply
 * thus changes no other row.
 */
const EXTRA = `
  nullif(
    coalesce(message.extra, '{}')
      || case when message.thread_id is null
              then case when exists (select from messages reply where reply.thread_id = message.id)
                        then jsonb_strip_nulls(jsonb_build_object('replies', replies_of(message.id, 0))) else '{}' end
              else jsonb_build_object('thread', message.thread_id) end
      || case when message.part = 0 or message.deleted = 1 then '{}'
              else jsonb_build_object('part', message.part) end,
    '{}')`

/** The columns of a message object, with its current reactions; empty for deleted messages. */
const columnsWith = (extra: string) => `
  message.id, message.channel, ${SHOWN_SENDER} as sender,
  case when message.deleted = 0 then message.content end as content,
  case when message.deleted = 0 then message.filename end as filename,
  message.ts, message.edited, message.edited_ts, message.deleted, message.deleted_ts, message.reply_to_id,
  case when message.deleted = 0 and message.reactions_ts is not null then reactions_of(message.id) end as reactions,
  message.reactions_ts,
  case when message.deleted = 0 then ${SHOWN_MENTIONS} end as mentions,
  message.content_type, ${extra} as extra`

export const MESSAGE_COLUMNS = columnsWith(EXTRA)
/** For those who do not ask for `extra`. */
export const BARE_MESSAGE_COLUMNS = columnsWith('null::jsonb')

/** SQL: approximate bytes of a message object, found without reading its text. */
export const MESSAGE_BYTES = `
  (300 + coalesce(octet_length(message.content), 0)
       + case when message.reactions_ts is null then 0
              else 40 * (select count(*) from reactions where message_id = message.id) end)`

/** The names of MESSAGE_COLUMNS. */
export const MESSAGE_FIELDS = `
  id, channel, sender, content, filename, ts, edited, edited_ts, deleted, deleted_ts, reply_to_id, reactions,
  reactions_ts, mentions, content_type, extra`

/**
 * The columns of the tombstone of a message removed with its account or by retention, kept for a day
 * (interface 4.1). It does not reveal the author, nor that it was a reply.
 */
export const TOMBSTONE_COLUMNS = `
  removed.id, removed.channel, '${DELETED_SENDER}', null, null,
  removed.ts, 0, null, 1, removed.removed_ts, null, null, null, null, 'text', null::jsonb`
export const TOMBSTONES_FROM = 'extract(epoch from now()) - 24 * 3600'

/**
 * Runs a range scan of (channel, changed_ts), independent of the length of the history, and one of the removed
 * messages. Reads all columns only for the rows returned. `more`: later rows were left out because of their text.
 */
async function changedAfter(
  db: Db,
  channel: ChannelId,
  after: Seconds,
  limit: number,
  tellsRemoved: boolean,
  mostText: number,
): Promise<(MessageRow & { more: boolean })[]> {
  const changed = `
    select false as removed, message.id, message.changed_ts,
           coalesce(octet_length(message.content), 0)
             + case when message.reactions_ts is null then 0 else 100 end as bytes
      from messages message
     where message.channel = $1
       and message.changed_ts > $2
       and ${IS_NOT_REMOVED}
     order by message.changed_ts
     limit $3`
  const removed = `
    select true, removed.id, removed.removed_ts, 0
      from removed_messages removed
     where removed.channel = $1
       and removed.removed_ts > greatest($2, ${TOMBSTONES_FROM})
     order by removed.removed_ts
     limit $3`
  const { rows } = await db.query<MessageRow & { more: boolean }>(
    `with found as (
       select found.*, sum(bytes) over earlier - bytes as before, lead(bytes) over earlier as next,
              sum(bytes) over earlier as total
         from (${tellsRemoved ? `(${changed}) union all (${removed})` : changed}) found
       window earlier as (order by changed_ts, removed, id)
        order by changed_ts
        limit $3
     ), fitting as materialized (
       select removed, id, changed_ts, next is not null and total + next > $4 as more
         from found
        where total <= $4 or before = 0
     )
     select ${MESSAGE_FIELDS}, more
       from (select ${MESSAGE_COLUMNS}, fitting.changed_ts, more
               from fitting join messages message using (id)
              where not removed
              union all
             select ${TOMBSTONE_COLUMNS}, fitting.changed_ts, more
               from fitting join removed_messages removed using (id)
              where fitting.removed) row
      order by changed_ts`,
    [channel, after, limit, mostText],
  )
  return rows
}
