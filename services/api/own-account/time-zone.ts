import { isTimeZone } from '#shared/domain/search-dates.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { readTimezone } from './queries.ts'

/** The time zone of a request's `tz`; without one that of the profile, else UTC. */
export async function timeZoneFor(stores: Stores, viewer: Username, tz: unknown): Promise<string> {
  if (tz === undefined) {
    const own = await readTimezone(stores.db, viewer)
    return own !== null && isTimeZone(own) ? own : 'UTC'
  }
  if (typeof tz !== 'string' || !isTimeZone(tz)) throw errors.invalid('tz must be the name of a time zone')
  return tz
}
