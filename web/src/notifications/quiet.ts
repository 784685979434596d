/**
 * When what comes is what had been missed, and nobody wants to be called for it one by one: after a machine slept, and
 * after a long time without a connection. Badges tell of it. Pure but for what it remembers.
 */
import type { Milliseconds } from '#shared/rules/units.ts'

/** Browsers let the clock of a hidden tab tick once a minute. */
const LONG: Milliseconds = 2 * 60_000
/** For what the stream brings when it is back. */
const CATCHING_UP: Milliseconds = 5_000

/** A machine that wakes may not have noticed yet that its connection is gone. */
const WAKING_UP: Milliseconds = 10_000

export function newQuiet(now: Milliseconds) {
  let lastTick = now
  let downSince: Milliseconds | undefined
  let quietUntil = Number.NEGATIVE_INFINITY
  const isQuiet = (at: Milliseconds) => {
    if (at - lastTick > LONG) quietUntil = at + WAKING_UP
    lastTick = at
    return at < quietUntil
  }
  return {
    /** To be asked now and then also when nothing comes: a long time without being asked is sleep. */
    isQuiet,
    connection(isUp: boolean, at: Milliseconds) {
      const wasQuiet = isQuiet(at)
      if (!isUp) downSince ??= wasQuiet ? Number.NEGATIVE_INFINITY : at
      else if (downSince !== undefined) {
        if (at - downSince > LONG) quietUntil = at + CATCHING_UP
        downSince = undefined
      }
    },
  }
}
