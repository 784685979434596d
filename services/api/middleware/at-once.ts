import type { Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'

const RETRY_AFTER: Seconds = 1

/**
 * Bounds a user's concurrent requests in this process; 429 beyond `most`. Counted here, not in Redis, because it
 * protects this process's memory and connections.
 */
export function atOnce(stores: Stores, most: number) {
  const underWay = new Map<Username, number>()

  return async <T>(person: Username, work: () => Promise<T>): Promise<T> => {
    const count = underWay.get(person) ?? 0
    if (count >= most && stores.settings.current.rate_limit_enabled)
      throw errors.tooMany(RETRY_AFTER, 'requests_at_once')
    underWay.set(person, count + 1)
    try {
      return await work()
    } finally {
      const left = underWay.get(person)! - 1
      if (left > 0) underWay.set(person, left)
      else underWay.delete(person)
    }
  }
}

/** Concurrent long reads per user and process: searches, lists of threads, files and days together. */
const MOST_LONG_READS = 3
const longReads = new WeakMap<Stores, ReturnType<typeof atOnce>>()

/** The bound that all long reads of a process share, so that a person cannot add up those of several endpoints. */
export function longReadsAtOnce(stores: Stores): ReturnType<typeof atOnce> {
  const shared = longReads.get(stores) ?? atOnce(stores, MOST_LONG_READS)
  longReads.set(stores, shared)
  return shared
}
