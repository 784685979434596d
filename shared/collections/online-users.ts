import type { PresenceState } from '#shared/domain/payloads.ts'
import { ONLINE_WINDOW, type Presence, shownPresence } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { emptyRecord, type GlobalCollection } from './collection.ts'

export const onlineUsers: GlobalCollection<'online_users'> = {
  event: 'online_users',
  scope: 'global',
  minInterval: 1_000,
  sameForAll: true,

  async read({ db, clock }, viewers) {
    const now = clock.now()
    const { rows } = await db.query<Presence & { username: Username }>(
      `select username, state, last_seen, override
         from presence
        where last_seen >= $1
        order by username`,
      [now - ONLINE_WINDOW],
    )
    const online = emptyRecord<PresenceState>()
    for (const row of rows) {
      const state = shownPresence(row, now)
      if (state) online[row.username] = state
    }
    return new Map(viewers.map(viewer => [viewer, online]))
  },

  /** Returns when the next person leaves the window. */
  async changesAt({ db, clock }) {
    const { rows } = await db.query<{ oldest: Seconds | null }>(
      'select min(last_seen) as oldest from presence where last_seen >= $1',
      [clock.now() - ONLINE_WINDOW],
    )
    const oldest = rows[0]?.oldest
    return oldest == null ? undefined : oldest + ONLINE_WINDOW + 0.01
  },
}
