import type { Seconds } from '#shared/rules/units.ts'

/** Where the server takes the time from: the database (shared/stores/database-clock.ts). Tests pass their own. */
export interface Clock {
  /** Epoch seconds with microseconds, as the interface counts. */
  now(): Seconds
}
