import { READABLE_PUBLIC_CHANNELS } from '#shared/access/public-channels.ts'
import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { emptyRecord, type PartialCollection, readWhole } from './collection.ts'
import { UNREAD } from './unread.ts'

export const channelUnreads: PartialCollection<'channel_unreads'> = {
  event: 'channel_unreads',
  scope: 'global',
  minInterval: 500,

  read: (stores, viewers) => readWhole(channelUnreads, stores, viewers),

  async readPart(stores, viewers, only) {
    const parts = new Map(viewers.map(viewer => [viewer, new Map<ChannelId, number>()]))
    if (only?.every(channel => channel.includes(':'))) return parts
    const { rows } = await stores.db.query<{ viewer: Username; id: ChannelId; unread: number }>(
      `select readable.viewer, readable.channel as id, coalesce(${UNREAD}, 0) as unread
         from (${READABLE_PUBLIC_CHANNELS}) readable
         left join channels channel on channel.id = readable.channel
         left join read_watermarks marker on marker.channel = channel.id and marker.username = readable.viewer
        where readable.joined
          and ($3::text[] is null or readable.channel = any($3))
        order by readable.place, readable.channel`,
      [...readableChannelsValues(stores, viewers), only ?? null],
    )
    for (const row of rows) parts.get(row.viewer)!.set(row.id, row.unread)
    return parts
  },

  payloadOf(entries) {
    const unreads = emptyRecord<number>()
    for (const [channel, unread] of entries) unreads[channel] = unread
    return unreads
  },
}
