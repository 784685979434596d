import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { READ_TS } from '#shared/collections/unread.ts'
import type { AllReadPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Channels in a request at most; those with the newest messages first. */
export const MOST_CHANNELS = 200

/**
 * Marks every joined channel with unread messages as read, or only `channel`. Returns the first unread message of each: marking these as unread
 * restores the counts, because they begin there again. The lock of the channels leaves out DMs whose id a renaming closes.
 */
export async function markAllRead(
  stores: Stores,
  viewer: Username,
  channel: ChannelId | null = null,
): Promise<AllReadPayload['channels']> {
  const { rows } = await stores.db.query<AllReadPayload['channels'][number]>(
    `with unread as (
       select channel.id, channel.newest_ts, channel.message_count, first.id as message_id
         from (${READABLE_CHANNELS}) readable
         join channels channel on channel.id = readable.channel
         left join read_watermarks marker on marker.channel = channel.id and marker.username = readable.viewer
        cross join lateral (
              select message.id
                from messages message
               where message.channel = channel.id
                 and message.ts > greatest(${READ_TS}, readable.history_start - 0.0000005)
                 and message.sender <> readable.viewer
                 and message.deleted = 0
                 and ${IS_NOT_REMOVED}
               order by message.ts
               limit 1) first
        where channel.newest_ts > ${READ_TS}
          and (channel.id = $4 or ($4::text is null and readable.joined))
        order by channel.newest_ts desc
        limit $3
          for key share of channel
     ), marked as (
       insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
       select id, $1[1], newest_ts, message_count from unread order by id
       on conflict (channel, username) do update
          set last_read_ts = greatest(marker.last_read_ts, excluded.last_read_ts),
              last_read_ord = greatest(marker.last_read_ord, excluded.last_read_ord),
              unread_from_ts = null,
              unread_from_ord = null
     )
     select id as channel, message_id from unread order by newest_ts desc, id`,
    [...readableChannelsValues(stores, [viewer]), MOST_CHANNELS, channel],
  )
  return rows
}
