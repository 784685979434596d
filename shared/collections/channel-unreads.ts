import type { ChannelId, Username } from '#shared/domain/units.ts'
import { emptyRecord, type PartialCollection, readWhole } from './collection.ts'
import { UNREAD } from './unread.ts'

export const channelUnreads: PartialCollection<'channel_unreads'> = {
  event: 'channel_unreads',
  scope: 'global',
  minInterval: 500,

  read: (stores, viewers) => readWhole(channelUnreads, stores, viewers),

  async readPart({ db, settings }, viewers, only) {
    const { channels } = settings.current
    const asked = only ? channels.filter(channel => only.includes(channel)) : [...channels]
    const parts = new Map(
      viewers.map(viewer => [viewer, new Map<ChannelId, number>(asked.map(channel => [channel, 0]))]),
    )
    if (asked.length === 0) return parts
    const { rows } = await db.query<{ viewer: Username; id: ChannelId; unread: number }>(
      `select viewer, channel.id, ${UNREAD} as unread
         from unnest($1::text[]) as viewer
        cross join channels channel
         left join read_watermarks marker on marker.channel = channel.id and marker.username = viewer
        where channel.id = any($2)`,
      [viewers, asked],
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
