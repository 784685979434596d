import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, payloadOf } from '#shared/collections/messages.ts'
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Replies counted per message at most. */
const MOST_COUNTED = 1_000
/** The images of a send follow its text within this time: they are one reply. */
const ONE_SEND: Seconds = 0.000_002

/** Counts the living direct replies to these messages of a channel; without those that have none. */
export async function repliesTo(
  db: Db,
  channel: ReadableChannel,
  ids: number[],
): Promise<(RepliesCount & { id: number })[]> {
  const { rows } = await db.query<RepliesCount & { id: number }>(
    `select parent.id, replies.count, replies.last_id, replies.last_ts, replies.people
       from messages parent
      cross join lateral (
            select count(*)::integer as count, max(id) as last_id, max(ts) as last_ts,
                   (select array_agg(sender order by last desc)
                      from (select sender, max(ts) as last
                              from unnest(array_agg(reply.sender), array_agg(reply.ts)) as one (sender, ts)
                             group by sender
                             order by last desc
                             limit 3) person) as people
              from (select newest.*, ts - lag(ts) over (partition by sender order by ts) as pause
                      from (select message.id, message.ts, ${SHOWN_SENDER} as sender
                              from messages message
                             where message.reply_to_id = parent.id and message.deleted = 0 and ${IS_NOT_REMOVED}
                             order by message.ts desc
                             limit $4) newest) reply
             where pause is null or pause > $5) replies
      where parent.id = any($2) and parent.channel = $1 and parent.ts >= $3 and replies.count > 0`,
    [channel.id, ids, channel.historyStart, MOST_COUNTED, ONE_SEND],
  )
  return rows
}

/** A page of the direct replies to a message, oldest first. Each later than the message, and so in its history. */
export async function repliesAfter(
  db: Db,
  parent: number,
  after: Seconds,
  limit: number,
): Promise<Fitting<MessagePayload>> {
  const replies = `
    select message.id, message.ts, ${MESSAGE_BYTES} as bytes
      from messages message
     where message.reply_to_id = $1 and message.ts > $2 and message.deleted = 0 and ${IS_NOT_REMOVED}`
  const { rows } = await db.query<MessageRow & { more: boolean }>(
    `with page as materialized (${firstThatFit(replies, 'ts', '$3')})
     select ${MESSAGE_COLUMNS}, page.more
       from page join messages message on message.id = page.id
      order by message.ts`,
    [parent, after, limit],
  )
  return fittingOf(rows, payloadOf)
}
