import type { PrivateChannelPayload } from '#shared/rules/payloads.ts'
import type { Username } from '#shared/rules/units.ts'
import type { GlobalCollection } from './collection.ts'
import { UNREAD } from './unread.ts'

export const privateChannels: GlobalCollection<'private_channels'> = {
  event: 'private_channels',
  scope: 'global',
  minInterval: 1_000,

  async read({ db }, viewers) {
    const payloads = new Map<Username, PrivateChannelPayload[]>(viewers.map(viewer => [viewer, []]))
    const { rows } = await db.query<PrivateChannelPayload & { viewer: Username }>(
      `select member.username as viewer, private.id, 'private:' || private.id as channel, private.name,
              coalesce(${UNREAD}, 0) as unread
         from private_channel_members member
         join private_channels private on private.id = member.channel_id
         left join channels channel on channel.id = 'private:' || private.id
         left join read_watermarks mark on mark.channel = channel.id and mark.username = member.username
        where member.username = any($1)
        order by member.join_order`,
      [viewers],
    )
    for (const { viewer, ...channel } of rows) payloads.get(viewer)!.push(channel)
    return payloads
  },
}
