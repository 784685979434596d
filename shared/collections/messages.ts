import { readersOf } from '#shared/access/readers.ts'
import type { EventPayloads, MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export const messages = {
  event: 'messages' as const satisfies keyof EventPayloads,
  scope: 'channel' as const,
  minInterval: 100 as Milliseconds,
  /** Interface 6: evaluated at least so often, whatever notices say. */
  maxInterval: 30_000 as Milliseconds,

  /**
   * The rows that changed after the cursor, at most `limit`, in order of change, once for all viewers;
   * `readers` tells who may see them and from when: `visibleTo()` cuts them to each. They are asked for after the
   * rows: who is a reader then was one when the rows were written, so nobody gets what came after they left.
   */
  async read(
    stores: Stores,
    viewers: Iterable<Username>,
    channel: ChannelId,
    after: Seconds,
    limit: number,
  ): Promise<{ rows: MessagePayload[]; readers: Map<Username, Seconds> }> {
    const rows = after === Infinity ? [] : await changedAfter(stores.db, channel, after, limit)
    const readers = await readersOf(stores, viewers, channel)
    return { rows: readers.size === 0 ? [] : rows, readers }
  },
}

/** The change time of the row that changed last, 0 in an empty channel: where whoever follows the channel stands. */
export async function newestChange({ db }: Stores, channel: ChannelId): Promise<Seconds> {
  const { rows } = await db.query<{ newest: Seconds | null }>(
    'select max(changed_ts) as newest from messages where channel = $1',
    [channel],
  )
  return rows[0]?.newest ?? 0
}

/** Rows of one viewer's history; the row's own time decides, not the time of its edit (security 6). Same array if all are. */
export function visibleTo(rows: MessagePayload[], historyStart: Seconds): MessagePayload[] {
  if (historyStart <= 0 || rows.every(row => row.ts >= historyStart)) return rows
  return rows.filter(row => row.ts >= historyStart)
}

/** The greatest of a row's four times: what a tab that has seen the row has seen (interface 6, rule 3). */
export function changeTime(row: MessagePayload): Seconds {
  return Math.max(row.ts, row.edited_ts ?? 0, row.deleted_ts ?? 0, row.reactions_ts ?? 0)
}

/** The order in which the endpoint and each frame list rows (decisions, Cursor). */
export function byTime(a: MessagePayload, b: MessagePayload): number {
  return a.ts - b.ts || a.id - b.id
}

/** The columns of a message object, with its current reactions; deleted messages keep their row and nothing in it. */
export const MESSAGE_COLUMNS = `
  message.id, message.channel, message.sender,
  case when message.deleted = 0 then message.content end as content,
  case when message.deleted = 0 then message.filename end as filename,
  message.ts, message.edited, message.edited_ts, message.deleted, message.deleted_ts, message.reply_to_id,
  case when message.deleted = 0 and message.reactions_ts is not null then reactions_of(message.id) end as reactions,
  message.reactions_ts,
  case when message.deleted = 0 then message.mentions end as mentions,
  message.content_type`

/** One range scan of (channel, changed_ts), however long the history. */
async function changedAfter(
  db: Db,
  channel: ChannelId,
  after: Seconds,
  limit: number,
): Promise<MessagePayload[]> {
  const { rows } = await db.query<MessagePayload>(
    `select ${MESSAGE_COLUMNS}
       from messages message
      where message.channel = $1
        and message.changed_ts > $2
      order by message.changed_ts
      limit $3`,
    [channel, after, limit],
  )
  return rows
}
