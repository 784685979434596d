import { seenByGuests } from '#shared/access/visible-people.ts'
import type { OnlineUsersPayload, PresenceState } from '#shared/domain/payloads/people.ts'
import { ONLINE_WINDOW, type Presence, shownPresence, TAB_FRESH } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { emptyRecord, type GlobalCollection } from './collection.ts'

export const onlineUsers: GlobalCollection<'online_users'> = {
  event: 'online_users',
  scope: 'global',
  minInterval: 1_000,
  sameForAll: true,

  async read(stores, viewers) {
    const online = await readOnline(stores)
    const guests = await onlineForGuests(stores, viewers, online)
    return new Map(viewers.map(viewer => [viewer, guests.get(viewer) ?? online]))
  },

  /** Returns when the next person leaves the window, or is offline because their tabs are silent. */
  async changesAt({ db }, viewers, asOf) {
    const { rows } = await db.query<{ next: Seconds | null }>(
      `select min(last_seen + case when by_tab and state <> 'offline' and last_seen >= $2 then $3::double precision else $4 end) as next
         from presence
        where last_seen >= $1`,
      [asOf - ONLINE_WINDOW, asOf - TAB_FRESH, TAB_FRESH, ONLINE_WINDOW],
    )
    const next = rows[0]?.next
    if (next == null) return new Map()
    return new Map(viewers.map(viewer => [viewer, next + 0.01]))
  },
}

/** The presence of everybody. */
export async function readOnline({ db, clock }: Stores): Promise<OnlineUsersPayload> {
  const now = clock.now()
  const { rows } = await db.query<Presence & { username: Username }>(
    `select username, presence.state, last_seen, override, by_tab
       from presence
       join users using (username)
      where last_seen >= $1 and users.state = 'active' and users.kind = 'person'
      order by username`,
    [now - ONLINE_WINDOW],
  )
  const online = emptyRecord<PresenceState>()
  for (const row of rows) {
    const state = shownPresence(row, now)
    if (state) online[row.username] = state
  }
  return online
}

/** For each guest among the viewers, the part of `online` with people whom they see. */
export async function onlineForGuests(
  stores: Stores,
  viewers: Username[],
  online: OnlineUsersPayload,
): Promise<Map<Username, OnlineUsersPayload>> {
  const seen = await seenByGuests(stores, viewers, Object.keys(online))
  return new Map(
    [...seen].map(([viewer, names]) => {
      const visible = emptyRecord<PresenceState>()
      for (const [name, state] of Object.entries(online)) if (names.has(name)) visible[name] = state
      return [viewer, visible]
    }),
  )
}
