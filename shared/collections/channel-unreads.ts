import type { ChannelId, Username } from '#shared/rules/units.ts'
import { emptyRecord, type GlobalCollection } from './collection.ts'
import { UNREAD } from './unread.ts'

export const channelUnreads: GlobalCollection<'channel_unreads'> = {
  event: 'channel_unreads',
  scope: 'global',
  minInterval: 500,

  async read({ db, settings }, viewers) {
    const { channels } = settings.current
    const { rows } = await db.query<{ viewer: Username; id: ChannelId; unread: number }>(
      `select viewer, channel.id, ${UNREAD} as unread
         from unnest($1::text[]) as viewer
        cross join channels channel
         left join read_watermarks mark on mark.channel = channel.id and mark.username = viewer
        where channel.id = any($2)`,
      [viewers, [...channels]],
    )
    const payloads = new Map(
      viewers.map(viewer => {
        const unreads = emptyRecord<number>()
        for (const channel of channels) unreads[channel] = 0
        return [viewer, unreads] as const
      }),
    )
    for (const row of rows) payloads.get(row.viewer)![row.id] = row.unread
    return payloads
  },
}
