/**
 * Detects when arriving messages were missed ones, after sleep or a long disconnection: only badges show them then.
 * Pure except for its state.
 */
import type { Milliseconds } from '#shared/domain/units.ts'

/** Longer than a minute, because browsers limit timers of hidden tabs to one per minute. */
const LONG: Milliseconds = 2 * 60_000
/** Time for the stream to catch up. */
const CATCHING_UP: Milliseconds = 5_000

/** After waking, a machine may not have noticed the lost connection. */
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
    /** Call regularly even without messages: a long gap between calls means sleep. */
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
