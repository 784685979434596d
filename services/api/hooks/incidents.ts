import { createHash } from 'node:crypto'
import type { Seconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Time for which a recovery finds the message of its failure. */
const REMEMBERED: Seconds = 7 * 24 * 3_600

const keyOf = ({ keys }: Stores, hook: number, incident: string) =>
  keys.hookIncident(hook, createHash('sha256').update(incident).digest('base64url'))

/** The message that told of the failure; undefined for none, and while Redis is away. */
export async function failureOf(stores: Stores, hook: number, incident: string): Promise<number | undefined> {
  const id = await quietly(() => stores.redis.get(keyOf(stores, hook, incident)))
  return id ? Number(id) : undefined
}

export async function noteFailure(
  stores: Stores,
  hook: number,
  incident: string,
  message: number,
): Promise<void> {
  await quietly(() => stores.redis.set(keyOf(stores, hook, incident), String(message), 'EX', REMEMBERED))
}

export async function forgetFailure(stores: Stores, hook: number, incident: string): Promise<void> {
  await quietly(() => stores.redis.del(keyOf(stores, hook, incident)))
}

/** Without Redis a recovery is told as a message of its own. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (err) {
    if (!isRedisAway(err)) log.warn({ err }, 'incident of a hook not noted')
    return undefined
  }
}
