import { log } from '#shared/runtime/log.ts'
import { isRedisAway } from '#shared/stores/redis.ts'

/** Undefined while Redis is away. Logs `failure` for other errors, which no sender is told of. */
export async function unlessAway<T>(failure: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (err) {
    if (!isRedisAway(err)) log.warn({ err }, failure)
    return undefined
  }
}
