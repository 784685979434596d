import { isTimeZone } from '#shared/domain/search-dates.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The time zone of a request's `tz`; without one that of the profile, else UTC. */
export async function timeZoneFor(stores: Stores, viewer: Username, tz: string | undefined): Promise<string> {
  if (tz !== undefined) return tz
  const own = await readTimezone(stores.db, viewer)
  return own !== null && isTimeZone(own) ? own : 'UTC'
}

async function readTimezone(db: Db, username: Username): Promise<string | null> {
  const { rows } = await db.query<{ timezone: string | null }>(
    'select timezone from users where username = $1',
    [username],
  )
  return rows[0]?.timezone ?? null
}
