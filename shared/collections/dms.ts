import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type PartialCollection, type Placed, readWhole } from './collection.ts'
import { UNREAD } from './unread.ts'

export const dms: PartialCollection<'dms'> = {
  event: 'dms',
  scope: 'global',
  minInterval: 500,

  read: (stores, viewers) => readWhole(dms, stores, viewers),

  /** Reads the DMs that the viewers have not hidden (interface 3.6). */
  async readPart({ db }, viewers, only) {
    const parts = new Map(viewers.map(viewer => [viewer, new Map<ChannelId, Placed<DmPayload>>()]))
    const { rows } = await db.query<{ viewer: Username; id: ChannelId; unread: number; at: Seconds }>(
      `select dm.username as viewer, channel.id, ${UNREAD} as unread, channel.newest_ts as at
         from dm_participants dm
         join channels channel on channel.id = dm.channel
         left join read_watermarks marker on marker.channel = channel.id and marker.username = dm.username
         left join hidden_dms hidden on hidden.channel = channel.id and hidden.username = dm.username
        where dm.username = any($1)
          and ($2::text[] is null or dm.channel = any($2))
          and (hidden.hidden_ts is null or channel.newest_ts > hidden.hidden_ts)`,
      [viewers, only ?? null],
    )
    for (const { viewer, id: channel, unread, at } of rows) {
      parts.get(viewer)!.set(channel, { channel, users: othersIn(channel, viewer), unread, at })
    }
    return parts
  },

  /** Newest activity first. */
  payloadOf(entries) {
    return [...entries.values()]
      .sort((a, b) => b.at - a.at || (a.channel < b.channel ? -1 : 1))
      .map(({ at: _, ...dm }) => dm)
  },
}

function othersIn(channel: ChannelId, viewer: Username) {
  const parsed = parseChannelId(channel)
  return parsed?.kind === 'dm' ? parsed.participants.filter(name => name !== viewer) : []
}
