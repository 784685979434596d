import { createHash } from 'node:crypto'
import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { unlessAway } from './unless-away.ts'

/** Time after the last failure for which a recovery finds its message. */
const REMEMBERED: Seconds = 7 * 24 * 3_600
/** Failures of a hook; older ones are forgotten, since their sender chooses what they are called. */
const MOST_FAILURES = 1_000

type IncidentStores = Pick<Stores, 'redis' | 'keys'>

const hashOf = (incident: string) => createHash('sha256').update(incident).digest('base64url')

/** The message that told of the failure; undefined for none, and while Redis is away. */
export async function failureOf(
  { redis, keys }: IncidentStores,
  hook: number,
  incident: string,
): Promise<number | undefined> {
  const id = await quietly(() => redis.zscore(keys.hookIncidents(hook), hashOf(incident)))
  return id ? Number(id) : undefined
}

export async function noteFailure(
  { redis, keys }: IncidentStores,
  hook: number,
  incident: string,
  message: number,
): Promise<void> {
  const key = keys.hookIncidents(hook)
  await quietly(() =>
    redis
      .multi()
      .zadd(key, message, hashOf(incident))
      .zremrangebyrank(key, 0, -MOST_FAILURES - 1)
      .expire(key, REMEMBERED)
      .exec(),
  )
}

export async function forgetFailure(
  { redis, keys }: IncidentStores,
  hook: number,
  incident: string,
): Promise<void> {
  await quietly(() => redis.zrem(keys.hookIncidents(hook), hashOf(incident)))
}

/** Without Redis a recovery is told as a message of its own. */
const quietly = <T>(ask: () => Promise<T>) => unlessAway('incident of a hook not noted', ask)
