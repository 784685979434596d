import type { Seconds } from '#shared/rules/units.ts'

/** Where the time comes from: the only place on the server that asks the machine. Tests hand in their own. */
export interface Clock {
  /** Epoch seconds with microseconds, as the interface counts. */
  now(): Seconds
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
}
