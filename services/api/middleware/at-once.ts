import { refuse } from '#shared/kernel/refusals.ts'
import type { Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

const RETRY_AFTER: Seconds = 1

/**
 * Bounds the works that one person has under way in this process: beyond `most`, 429. Counted here and not in Redis, because
 * the bound is for the memory and the connections of this process.
 */
export function atOnce(stores: Stores, most: number) {
  const underWay = new Map<Username, number>()

  return async <T>(person: Username, work: () => Promise<T>): Promise<T> => {
    const count = underWay.get(person) ?? 0
    if (count >= most && stores.settings.current.rate_limit_enabled) throw refuse.tooMany(RETRY_AFTER)
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
