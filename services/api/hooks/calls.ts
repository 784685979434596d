import type { HookCallPayload } from '#shared/domain/payloads/hooks.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { HookRow } from './queries.ts'
import { unlessAway } from './unless-away.ts'

const MOST = 20
const KEPT: Seconds = 7 * 24 * 3_600

type CallStores = Pick<Stores, 'redis' | 'keys'>

/** Adds a call of a hook to its last ones. No response waits for it: the list is for display and may be lost. */
export async function noteCall(
  { redis, keys }: CallStores,
  hook: number,
  call: HookCallPayload,
): Promise<void> {
  const key = keys.hookCalls(hook)
  await unlessAway('call of a hook not noted', () =>
    redis
      .multi()
      .lpush(key, JSON.stringify(call))
      .ltrim(key, 0, MOST - 1)
      .expire(key, KEPT)
      .exec(),
  )
}

/** The last calls, the newest first; none of a former hook with this id, before the database was restored. */
export async function callsOf(
  { redis, keys }: CallStores,
  { id, created_ts }: Pick<HookRow, 'id' | 'created_ts'>,
): Promise<HookCallPayload[]> {
  const entries = await redis.lrange(keys.hookCalls(id), 0, MOST - 1)
  return entries.map(entry => JSON.parse(entry) as HookCallPayload).filter(({ ts }) => ts >= created_ts)
}

export async function forgetCalls({ redis, keys }: CallStores, hook: number): Promise<void> {
  await unlessAway('calls of a hook not deleted', () => redis.del(keys.hookCalls(hook)))
}
