import type { Seconds } from '#shared/domain/units.ts'

/** The server's time: the database's (shared/stores/database-clock.ts), or a test's. */
export interface Clock {
  /** Epoch seconds with microsecond resolution, as in the interface. */
  now(): Seconds
}
