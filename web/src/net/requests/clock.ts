import type { Milliseconds } from '#shared/domain/units.ts'

/** Time and timers, replaced in unit tests. */
export interface Clock {
  now(): Milliseconds
  /** Returns the function that cancels it. */
  later(delay: Milliseconds, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  later(delay, run) {
    const timer = setTimeout(run, delay)
    return () => clearTimeout(timer)
  },
}
