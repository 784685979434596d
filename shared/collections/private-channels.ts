import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type PartialCollection, type Placed, readWhole } from './collection.ts'
import { UNREAD } from './unread.ts'

export const privateChannels: PartialCollection<'private_channels'> = {
  event: 'private_channels',
  scope: 'global',
  minInterval: 1_000,

  read: (stores, viewers) => readWhole(privateChannels, stores, viewers),

  async readPart({ db }, viewers, only) {
    const parts = new Map(
      viewers.map(viewer => [viewer, new Map<ChannelId, Placed<PrivateChannelPayload>>()]),
    )
    const { rows } = await db.query<Placed<PrivateChannelPayload> & { viewer: Username }>(
      `select member.username as viewer, private.id, 'private:' || private.id as channel, private.name,
              coalesce(${UNREAD}, 0) as unread, member.join_order as at
         from private_channel_members member
         join private_channels private on private.id = member.channel_id
         left join channels channel on channel.id = 'private:' || private.id
         left join read_watermarks marker on marker.channel = channel.id and marker.username = member.username
        where member.username = any($1)
          and ($2::bigint[] is null or member.channel_id = any($2))
          and not exists (
                select from channel_properties
                 where channel = 'private:' || private.id and archived_ts is not null)`,
      [viewers, only ? privateIds(only) : null],
    )
    for (const { viewer, ...entry } of rows) parts.get(viewer)!.set(entry.channel, entry)
    return parts
  },

  /** In order of joining. */
  payloadOf(entries) {
    return [...entries.values()].sort((a, b) => a.at - b.at).map(({ at: _, ...channel }) => channel)
  },
}

function privateIds(channels: readonly ChannelId[]): number[] {
  return channels.flatMap(channel => {
    const parsed = parseChannelId(channel)
    return parsed?.kind === 'private' ? [parsed.privateId] : []
  })
}
