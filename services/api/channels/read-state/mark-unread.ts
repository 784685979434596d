import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Newest messages of a channel that can be marked as unread, which bounds the cost of counting from there. */
export const MOST_UNREAD = 10_000

export interface MarkedUnread {
  channel: ChannelId
  /** False where the mark was there already. */
  changed: boolean
}

/**
 * Lets the unread counts of the messages' channels begin at these messages, the oldest of each channel. The watermarks
 * stay. Skips messages that the viewer may not read, deleted ones and those older than MOST_UNREAD. The lock of the
 * channels leaves out DMs whose id a renaming closes.
 */
export async function markUnread(
  stores: Stores,
  viewer: Username,
  messages: readonly number[],
): Promise<MarkedUnread[]> {
  const { rows } = await stores.db.query<MarkedUnread>(
    `with found as (
       select distinct on (message.channel) message.channel, message.ts, message.ord
         from messages message
         join channels channel on channel.id = message.channel
         join (${READABLE_CHANNELS}) readable on readable.channel = message.channel
        where message.id = any($3)
          and message.deleted = 0
          and message.ts >= readable.history_start
          and message.ord > channel.message_count - $4
          and ${IS_NOT_REMOVED}
        order by message.channel, message.ts
     ), locked as materialized (
       select id from channels
        where id in (select channel from found) and message_count > 0
        order by id
          for key share
     ), marked as (
       insert into read_watermarks as marker
              (channel, username, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord)
       select channel, $1[1], 0, 0, ts, ord from found join locked on locked.id = found.channel order by channel
       on conflict (channel, username) do update
          set unread_from_ts = excluded.unread_from_ts, unread_from_ord = excluded.unread_from_ord
        where marker.unread_from_ord is distinct from excluded.unread_from_ord
       returning channel
     )
     select found.channel, marked.channel is not null as changed from found left join marked using (channel)`,
    [...readableChannelsValues(stores, [viewer]), messages, MOST_UNREAD],
  )
  return rows
}
