import { emptyRecord } from '#shared/collections/collection.ts'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Moves a user's read markers forward to the newest messages of channels, and ends marks as unread. Returns whether one
 * changed.
 */
export async function markRead(
  db: Db,
  username: Username,
  ...channels: readonly ChannelId[]
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
     select id, $2, newest_ts, message_count
       from channels
      where id = any($1) and message_count > 0
      order by id
     on conflict (channel, username) do update
        set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
            last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
            unread_from_ts = null,
            unread_from_ord = null
      where excluded.last_read_ts > marker.last_read_ts or marker.unread_from_ts is not null`,
    [channels, username],
  )
  return rowCount !== 0
}

/**
 * The same for people who join: nothing is unread, but they have read nothing either, and count as readers of later
 * messages only (interface 2.5).
 */
export async function markJoined(
  db: Db,
  people: readonly Username[],
  channels: readonly ChannelId[],
): Promise<void> {
  await db.query(
    `insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord, joined_ts)
     select id, reader, newest_ts, message_count, newest_ts
       from channels
      cross join unnest($2::text[]) as reader
      where id = any($1) and message_count > 0
      order by id, reader
     on conflict (channel, username) do update
        set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
            last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
            unread_from_ts = null,
            unread_from_ord = null,
            joined_ts = case
              when excluded.last_read_ts > marker.last_read_ts then excluded.joined_ts
              else marker.joined_ts
            end
      where excluded.last_read_ts > marker.last_read_ts or marker.unread_from_ts is not null`,
    [channels, people],
  )
}

/** A member who returns starts at the newest message, so their read marker is useless. */
export async function deleteReadMarker(tx: Db, channel: ChannelId, username: Username): Promise<void> {
  await tx.query('delete from read_watermarks where channel = $1 and username = $2', [channel, username])
}

/** Read receipts with the viewer's own read marker only; empty without one. */
export async function ownReadReceipt(
  db: Db,
  viewer: Username,
  channel: ChannelId,
): Promise<ReadReceiptsPayload> {
  const { rows } = await db.query<{ last_read_ts: Seconds }>(
    'select last_read_ts from read_watermarks where channel = $1 and username = $2 and last_read_ts > 0',
    [channel, viewer],
  )
  const receipts = emptyRecord<Seconds>()
  for (const { last_read_ts } of rows) receipts[viewer] = last_read_ts
  return receipts
}
