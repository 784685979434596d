import type { Milliseconds } from '#shared/domain/units.ts'

/** When watches are due. Pure functions; all times are milliseconds of one monotonic clock. */

/** The facts that decide when a watch is evaluated next. */
export interface Timing {
  /** Time of the last evaluation; -Infinity: never. */
  evaluatedAt: Milliseconds
  /** A notice says that it may have changed. */
  isDirty: boolean
  /** When the payload changes without a write, if ever. */
  changesAt: Milliseconds | undefined
  /** Time of the next periodic evaluation. */
  nextPeriodicAt: Milliseconds
  /** Earliest time after a failure. */
  retryAt: Milliseconds | undefined
}

/** An invalidation within the minimum interval is not dropped: the watch is due when the interval ends. */
export function dueAt(timing: Timing, minInterval: Milliseconds): Milliseconds {
  const earliest = timing.evaluatedAt + minInterval
  const due = timing.isDirty ? earliest : Math.min(timing.changesAt ?? Infinity, timing.nextPeriodicAt)
  return Math.max(due, earliest, timing.retryAt ?? -Infinity)
}

const PERIODIC_FROM: Milliseconds = 20_000
/** Interface 6: `messages` at least every 30 s; here every collection, since a notice may be lost (security 8). */
const PERIODIC_WITHIN: Milliseconds = 30_000
const PERIODIC_STEP: Milliseconds = 2_500

/**
 * Returns the time of the next periodic evaluation: random, to spread the load, but rounded to few moments, so that the
 * watches of one moment share a query. `phase` keeps the moments of two kinds apart.
 */
export function nextPeriodicEvaluation(now: Milliseconds, random: number, phase: Milliseconds): Milliseconds {
  const spread = now + PERIODIC_FROM + random * (PERIODIC_WITHIN - PERIODIC_FROM)
  return Math.floor((spread - phase) / PERIODIC_STEP) * PERIODIC_STEP + phase
}

/** Exponential back-off: 0.1 s (the interface's tick) after the first failure, doubled up to two seconds. */
export function backOff(failures: number): Milliseconds {
  return Math.min(100 * 2 ** (failures - 1), 2_000)
}

/** Interface 6: a stream ends after 300 s plus a random part of a minute. */
const STREAM_LIFETIME: Milliseconds = 300_000
const STREAM_JITTER: Milliseconds = 60_000

/** Returns the lifetime of a stream; `random` is from 0 to 1. */
export const lifetime = (random: number): Milliseconds => STREAM_LIFETIME + random * STREAM_JITTER
