import { parseChannelId } from '#shared/rules/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Of these viewers, who may read the channel, and from when (0: from the beginning). `channel` is a canonical id.
 * Every channel collection asks it, after it has read what it will show: whoever is a member then was one when that was
 * written, so that a member who leaves gets no further frame (layout 4).
 */
export async function readersOf(
  stores: Stores,
  viewers: Iterable<Username>,
  channel: ChannelId,
): Promise<Map<Username, Seconds>> {
  const parsed = parseChannelId(channel)
  if (!parsed) return new Map()
  switch (parsed.kind) {
    case 'public':
      return stores.settings.current.channels.includes(parsed.id) ? fromTheBeginning(viewers) : new Map()
    case 'dm':
      return fromTheBeginning([...viewers].filter(viewer => parsed.participants.includes(viewer)))
    case 'private': {
      const { rows } = await stores.db.query<{ username: Username; history_start_ts: Seconds | null }>(
        `select username, history_start_ts
           from private_channel_members
          where channel_id = $1 and username = any($2)`,
        [parsed.privateId, [...viewers]],
      )
      return new Map(rows.map(row => [row.username, row.history_start_ts ?? 0]))
    }
  }
}

const fromTheBeginning = (viewers: Iterable<Username>) => new Map([...viewers].map(viewer => [viewer, 0]))
