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
    if (count >= most && stores.settings.current.rate_limit_enabled) throw errors.tooMany(RETRY_AFTER)
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
