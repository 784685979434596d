import { FilesAway } from './files-away.ts'
import { outages } from './outages.ts'
import { isOverloaded, isUnavailable } from './postgres-errors.ts'
import { isRedisAway } from './redis.ts'

/**
 * Returns true, and counts the failure, if a store is away: then the log has a line for the outage already. `context`
 * is logged with the first failure. Redis is asked first, because refused connections of both have the same codes.
 */
export function noteStoreFailure(err: unknown, context?: object): boolean {
  // The bucket's client has counted its failures itself.
  if (err instanceof FilesAway) return true
  const store = isRedisAway(err) ? 'redis' : isUnavailable(err) && !isOverloaded(err) ? 'postgres' : undefined
  if (store === undefined) return false
  outages[store].noteFailure(err, context)
  return true
}
