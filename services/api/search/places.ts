/** Keys of the search index for channels and spans of time; SQL computes the same ones (`text_places`, 0001_baseline.sql). */
import type { Seconds } from '#shared/domain/units.ts'

/** Spans of 2^6 seconds (a minute) to 2^22 (seven weeks). */
const LEVELS = [6, 10, 14, 18, 22]
const FEW_KEYS = 20
const MOST_KEYS = 64
/** With more channels, most messages are in one of them. */
export const MOST_CHANNELS = 64

/** The keys of the spans that cover both times and all between; undefined if these would be too many. */
export function spanKeys(from: Seconds, to: Seconds): string[] | undefined {
  if (to < from) return []
  const count = (level: number) => Math.floor(to / 2 ** level) - Math.floor(from / 2 ** level) + 1
  const level = LEVELS.find(one => count(one) <= FEW_KEYS) ?? LEVELS.at(-1)!
  if (count(level) > MOST_KEYS) return undefined
  const first = Math.floor(from / 2 ** level)
  return Array.from({ length: count(level) }, (_, i) => String((BigInt(level) << 40n) | BigInt(first + i)))
}
