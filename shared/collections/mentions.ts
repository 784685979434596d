import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { EVERYONE } from '#shared/rules/mentions.ts'
import type { MentionPayload } from '#shared/rules/payloads.ts'
import type { Username } from '#shared/rules/units.ts'
import type { GlobalCollection } from './collection.ts'

/** Nobody works through more than this; the newest are listed. */
const MOST_MENTIONS = 1_000

export const mentions: GlobalCollection<'mentions'> = {
  event: 'mentions',
  scope: 'global',
  minInterval: 1_000,

  async read(stores, viewers) {
    const payloads = new Map<Username, MentionPayload[]>(viewers.map(viewer => [viewer, []]))
    // Two probes of the index a channel, each only for what lies after the watermark.
    const { rows } = await stores.db.query<MentionPayload & { viewer: Username }>(
      `select distinct on (readable.viewer, message.ts, message.id)
              readable.viewer, message.id, message.channel, message.sender, message.content, message.filename, message.ts
         from (${READABLE_CHANNELS}) readable
         left join read_watermarks mark on mark.channel = readable.channel and mark.username = readable.viewer
        cross join lateral (
              select mention.message_id
                from message_mentions mention
               where mention.channel = readable.channel
                 and mention.username in (readable.viewer, $3)
                 and mention.ts > coalesce(mark.last_read_ts, 0)
                 and mention.ts >= readable.history_start
               order by mention.ts desc
               limit $4) unread
         join messages message on message.id = unread.message_id
        where message.deleted = 0
          and message.sender <> readable.viewer
        order by readable.viewer, message.ts desc, message.id desc`,
      [...readableChannelsValues(stores, viewers), EVERYONE, MOST_MENTIONS],
    )
    for (const { viewer, ...mention } of rows) {
      const list = payloads.get(viewer)!
      if (list.length < MOST_MENTIONS) list.push(mention)
    }
    return payloads
  },
}
