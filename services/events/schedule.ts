import type { Milliseconds } from '#shared/rules/units.ts'

/** When to look. Pure: times in, times out, all of them milliseconds of one monotonic clock. */

/** What is known of a watch that decides when it is looked at again. */
export interface Look {
  /** When it was last looked at; -Infinity: never. */
  evaluated: Milliseconds
  /** A notice has said that it may have changed. */
  dirty: boolean
  /** When time alone changes the answer, if ever. */
  changesAt: Milliseconds | undefined
  /** The look that comes by itself, whatever notices say. */
  againAt: Milliseconds
  /** After a failure: not before. */
  retryAt: Milliseconds | undefined
}

/** A mark is never dropped: it waits until the minimum interval has passed, and is due in that moment. */
export function dueAt(look: Look, minInterval: Milliseconds): Milliseconds {
  const earliest = look.evaluated + minInterval
  const wanted = look.dirty ? earliest : Math.min(look.changesAt ?? Infinity, look.againAt)
  return Math.max(wanted, earliest, look.retryAt ?? -Infinity)
}

const AGAIN_FROM: Milliseconds = 20_000
/** Interface 6: `messages` at least every 30 s; ours for all others too, since a notice may be lost (security 8). */
const AGAIN_WITHIN: Milliseconds = 30_000
const AGAIN_STEP: Milliseconds = 2_500

/**
 * The look that comes by itself: spread, so that not all come at once, but on few moments, so that those which come
 * together are one question to the database, however many there are. `phase` keeps the moments of two kinds apart.
 */
export function againAt(now: Milliseconds, random: number, phase: Milliseconds): Milliseconds {
  const spread = now + AGAIN_FROM + random * (AGAIN_WITHIN - AGAIN_FROM)
  return Math.floor((spread - phase) / AGAIN_STEP) * AGAIN_STEP + phase
}

/** 0.1 s (the interface's tick) after the first failure in a row, then twice as long each time, up to two seconds. */
export function backOff(failures: number): Milliseconds {
  return Math.min(100 * 2 ** (failures - 1), 2_000)
}

/** Interface 6: a stream ends after so long, and after a random part of a minute. */
const STREAM_LIFETIME: Milliseconds = 300_000
const STREAM_JITTER: Milliseconds = 60_000

/** How long a stream lives; `random` is from 0 to 1. */
export const lifetime = (random: number): Milliseconds => STREAM_LIFETIME + random * STREAM_JITTER
