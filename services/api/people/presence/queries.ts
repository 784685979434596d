import type { PresenceOverride, PresenceState } from '#shared/domain/payloads/people.ts'
import type { Presence } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function presenceOf(db: Db, username: Username): Promise<Presence | undefined> {
  const { rows } = await db.query<Presence>(
    'select state, last_seen, override, by_tab from presence where username = $1',
    [username],
  )
  return rows[0]
}

/**
 * Stores the combined state of a user's tabs. Returns the previous record under its lock, so that concurrent reports
 * see each other's effects.
 */
export async function reportPresence(
  db: Db,
  username: Username,
  state: PresenceState,
  byTab: boolean,
  now: Seconds,
): Promise<Presence | undefined> {
  const { rows } = await db.query<{ before: Presence | null }>(
    `with before as (
       select state, last_seen, override, by_tab from presence where username = $1 for update
     ), reported as (
       insert into presence (username, state, last_seen, by_tab)
       select users.username, $2, $3, $4
         from users
         left join before on true
        where users.username = $1
       on conflict (username) do update
          set state = excluded.state, by_tab = excluded.by_tab, last_seen = greatest(presence.last_seen, excluded.last_seen)
     )
     select to_json(before) as before from before`,
    [username, state, now, byTab],
  )
  return rows[0]?.before ?? undefined
}

export async function setOverride(
  db: Db,
  username: Username,
  override: PresenceOverride | null,
  now: Seconds,
) {
  await db.query(
    `insert into presence (username, state, last_seen, override)
     select username, 'active', $3, $2 from users where username = $1
     on conflict (username) do update set override = excluded.override`,
    [username, override, now],
  )
}

export async function overrideOf(db: Db, username: Username): Promise<PresenceOverride | null> {
  const { rows } = await db.query<{ override: PresenceOverride | null }>(
    'select override from presence where username = $1',
    [username],
  )
  return rows[0]?.override ?? null
}
