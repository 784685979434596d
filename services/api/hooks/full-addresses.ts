import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '#shared/domain/units.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Refusal, refusalFor } from './refusals.ts'
import { hashOfHookToken } from './secret-texts.ts'

const MOST = 10_000

/** Until when a hook takes no posts. */
const full = new LRUCache<string, Milliseconds>({ max: MOST })

/** A sender beyond the limit of a hook costs no store anything, until the window ends. */
export function checkRoom(stores: Stores, token: string): void {
  const left = (full.get(keyOf(stores, token)) ?? 0) - performance.now()
  if (left > 0) throw new Refusal('rate_limited', Math.ceil(left / 1_000))
}

/** Counts a post to the hook of this address for its limit. */
export async function countPost(stores: Stores, token: string, hook: number): Promise<void> {
  try {
    await rateLimits(stores)(['hook', String(hook)])
  } catch (err) {
    const refusal = refusalFor(err)
    full.set(keyOf(stores, token), performance.now() + (refusal.retryAfter ?? 0) * 1_000)
    throw refusal
  }
}

/** Another one after the limit was changed. */
function keyOf({ settings }: Stores, token: string): string {
  const { rate_limit_enabled, rate_limits } = settings.current
  return [rate_limit_enabled, ...rate_limits.hook, hashOfHookToken(token).toString('hex')].join()
}
