import { MOST_TRIES } from '#shared/domain/outgoing-hooks.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'

/** Pauses before each of the MOST_TRIES tries, from the end of the former one. */
const PAUSES: readonly Seconds[] = [0, 5, 60, 300, 1_800, 7_200, 21_600, 43_200]
/** Share of a pause by which it differs, so that receivers are not called in a rhythm. */
const SPREAD = 0.1
/** A `Retry-After` up to this is obeyed. */
const LONGEST_WISH: Seconds = 3_600
/** Where no worker had time, or Redis lost the request: not the receiver's fault, and no try. */
export const UNSENT_PAUSE: Seconds = 5

/** Time for a request and its response. */
export const TIMEOUT: Milliseconds = 15_000

/** The pause after `tries` failed ones; undefined: no further one follows. `random`: 0 to 1. */
export function pauseAfter(
  tries: number,
  retryAfter: string | undefined,
  now: Seconds,
  random = Math.random(),
): Seconds | undefined {
  const pause = PAUSES[tries]
  if (pause === undefined || tries >= MOST_TRIES) return undefined
  const usual = pause * (1 + SPREAD * (2 * random - 1))
  return Math.max(usual, wishOf(retryAfter, now) ?? 0)
}

/** Seconds or a date, as HTTP has it. */
function wishOf(text: string | undefined, now: Seconds): Seconds | undefined {
  if (text === undefined) return undefined
  const wish = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Date.parse(text) / 1_000 - now
  return wish > 0 && wish <= LONGEST_WISH ? wish : undefined
}
