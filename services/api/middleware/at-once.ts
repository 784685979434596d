import type { Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { KeyedLimiter } from '#shared/runtime/keyed-limiter.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { perStores } from './per-stores.ts'

const RETRY_AFTER: Seconds = 1

/**
 * Bounds a user's concurrent requests in this process; 429 beyond `most`. Counted here, not in Redis, because it
 * protects this process's memory and connections.
 */
export function atOnce(stores: Stores, most: number) {
  const refusal = () => errors.tooMany(RETRY_AFTER, 'requests_at_once')
  const limiter = new KeyedLimiter({ mostWaiting: 0, refusal })

  return <T>(person: Username, work: () => Promise<T>): Promise<T> =>
    limiter.run([{ key: person, most: stores.settings.current.rate_limit_enabled ? most : Infinity }], work)
}

/** Concurrent long reads per user and process: searches, lists of threads, files and days together. */
const MOST_LONG_READS = 3

/** The bound that all long reads of a process share, so that a person cannot add up those of several endpoints. */
export const longReadsAtOnce = perStores(stores => atOnce(stores, MOST_LONG_READS))
