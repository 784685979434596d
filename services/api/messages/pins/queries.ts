import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { seconds, takeTimes } from '#shared/channels/channel-clock.ts'
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, payloadOf } from '#shared/collections/messages.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function countPins(tx: Db, channel: ChannelId): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::integer as count from pins where channel = $1',
    [channel],
  )
  return rows[0]!.count
}

export async function isPinned(tx: Db, id: number): Promise<boolean> {
  const { rowCount } = await tx.query('select from pins where message_id = $1', [id])
  return rowCount === 1
}

/** At the channel's next time, like a reaction. */
export async function insertPin(tx: Db, id: number, channel: ChannelId, by: Username): Promise<void> {
  await tx.query(
    `with tick as (
       update channels channel set ${takeTimes()} where id = $2 returning ${seconds('clock_us')} as pinned_ts
     ), pinned as (
       insert into pins (message_id, channel, pinned_by, pinned_ts)
       select $1::bigint, $2::text, $3::text, pinned_ts from tick
     )
     update messages
        set extra = coalesce(extra, '{}') || jsonb_build_object('pinned', jsonb_build_object('by', $3::text, 'ts', pinned_ts)),
            reactions_ts = pinned_ts
       from tick
      where id = $1`,
    [id, channel, by],
  )
}

export async function deletePin(tx: Db, id: number, channel: ChannelId): Promise<void> {
  await tx.query(
    `with tick as (
       update channels channel set ${takeTimes()} where id = $2 returning ${seconds('clock_us')} as unpinned_ts
     ), unpinned as (
       delete from pins where message_id = $1
     )
     update messages
        set extra = nullif(extra - 'pinned', '{}'), reactions_ts = unpinned_ts
       from tick
      where id = $1`,
    [id, channel],
  )
}

/** A page of the pinned messages in the viewer's history, the latest pin first. */
export async function pinsBefore(
  db: Db,
  { id, historyStart }: ReadableChannel,
  before: Seconds,
  limit: number,
): Promise<Fitting<MessagePayload>> {
  const pinned = `
    select message.id, pins.pinned_ts, ${MESSAGE_BYTES} as bytes
      from pins
      join messages message on message.id = pins.message_id
     where pins.channel = $1 and pins.pinned_ts < $2 and message.ts >= $3 and message.deleted = 0 and ${IS_NOT_REMOVED}`
  const { rows } = await db.query<MessageRow & { more: boolean }>(
    `with page as materialized (${firstThatFit(pinned, 'pinned_ts desc', '$4')})
     select ${MESSAGE_COLUMNS}, page.more
       from page join messages message on message.id = page.id
      order by page.pinned_ts desc`,
    [id, before, historyStart, limit],
  )
  return fittingOf(rows, payloadOf)
}
