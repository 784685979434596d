import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { SidebarChannelPayload, SidebarPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { GlobalCollection } from './collection.ts'

/** The person's own choices for channels. Unread counts are in the collections of the interface. */
export const sidebar: GlobalCollection<'sidebar'> = {
  event: 'sidebar',
  scope: 'global',
  minInterval: 500,

  async read(stores, viewers) {
    const payloads = new Map<Username, SidebarPayload>(viewers.map(viewer => [viewer, { channels: [] }]))
    const { rows } = await stores.db.query<SidebarRow>(
      `select readable.viewer, chosen.channel,
              max(chosen.muted_until) as muted_until, max(chosen.unread_from_ts) as marked_unread
         from (${CHOICES}) chosen
         join (${READABLE_CHANNELS}) readable
           on readable.viewer = chosen.username and readable.channel = chosen.channel
        group by readable.viewer, chosen.channel
        order by chosen.channel`,
      [...readableChannelsValues(stores, viewers), stores.clock.now()],
    )
    for (const { viewer, channel, muted_until, marked_unread } of rows) {
      payloads.get(viewer)!.channels.push({ channel, muted_until: mutedUntil(muted_until), marked_unread })
    }
    return payloads
  },

  /** Returns when the next mute of each viewer ends. */
  async changesAt({ db, clock }, viewers) {
    const { rows } = await db.query<{ username: Username; next: Seconds }>(
      `select username, min(muted_until) as next
         from channel_prefs
        where username = any($1) and muted_until > $2 and muted_until < 'Infinity'
        group by username`,
      [viewers, clock.now()],
    )
    return new Map(rows.map(({ username, next }) => [username, next + 0.01]))
  },
}

interface SidebarRow {
  viewer: Username
  channel: ChannelId
  muted_until: Seconds | null
  marked_unread: Seconds | null
}

/** Mutes that have not ended at $3, and marks as unread. */
const CHOICES = `
  select username, channel, muted_until, null::double precision as unread_from_ts
    from channel_prefs
   where username = any($1) and muted_until > $3
  union all
  select username, channel, null, unread_from_ts
    from read_watermarks
   where username = any($1) and unread_from_ts is not null`

/** JSON has no infinity. */
const mutedUntil = (until: Seconds | null): SidebarChannelPayload['muted_until'] =>
  until === Infinity ? 'forever' : until
