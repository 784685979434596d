import { parseChannelId } from '#shared/rules/channel-id.ts'
import type { DmPayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { GlobalCollection } from './collection.ts'
import { UNREAD } from './unread.ts'

export const dms: GlobalCollection<'dms'> = {
  event: 'dms',
  scope: 'global',
  minInterval: 500,

  async read({ db }, viewers) {
    const payloads = new Map<Username, DmPayload[]>(viewers.map(viewer => [viewer, []]))
    for (const row of await visibleDms(db, viewers)) {
      payloads
        .get(row.viewer)!
        .push({ channel: row.id, users: othersIn(row.id, row.viewer), unread: row.unread })
    }
    return payloads
  },
}

/** The DMs of the viewers that are not hidden (interface 3.6), newest activity first. */
export async function visibleDms(db: Db, viewers: Username[]) {
  const { rows } = await db.query<{ viewer: Username; id: ChannelId; unread: number }>(
    `select dm.username as viewer, channel.id, ${UNREAD} as unread
       from dm_participants dm
       join channels channel on channel.id = dm.channel
       left join read_watermarks mark on mark.channel = channel.id and mark.username = dm.username
       left join hidden_dms hidden on hidden.channel = channel.id and hidden.username = dm.username
      where dm.username = any($1)
        and (hidden.hidden_ts is null or channel.newest_ts > hidden.hidden_ts)
      order by channel.newest_ts desc, channel.id`,
    [viewers],
  )
  return rows
}

function othersIn(channel: ChannelId, viewer: Username) {
  const parsed = parseChannelId(channel)
  return parsed?.kind === 'dm' ? parsed.participants.filter(name => name !== viewer) : []
}
