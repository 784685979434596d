import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { refuse } from '#shared/kernel/refusals.ts'
import type { Rate, RateName } from '#shared/kernel/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Takes tokens, one if not said otherwise; refuses when there are none. */
export type TakeToken = (name: RateName, key: string, tokens?: number) => Promise<void>

/**
 * Tokens by name and key (a user or an address), counted in Redis and so shared by all replicas; in memory while
 * Redis is away. Takes and answers; refuses with 429 when there are none (decisions, Rate limits).
 */
export function rateLimits(stores: Stores): TakeToken {
  const limiters = new Map<string, RateLimiterRedis>()

  return async (name, key, tokens = 1) => {
    const { rate_limit_enabled, rate_limits } = stores.settings.current
    if (!rate_limit_enabled) return
    const limiter = limiterFor(name, rate_limits[name])
    try {
      await limiter.consume(key, tokens)
    } catch (outcome) {
      if (outcome instanceof Error) throw outcome
      throw refuse.tooMany((outcome as { msBeforeNext: number }).msBeforeNext / 1000)
    }
  }

  function limiterFor(name: RateName, [points, duration]: Rate) {
    const keyPrefix = `${stores.keys.ratePrefix()}:${name}:${points}:${duration}`
    let limiter = limiters.get(keyPrefix)
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: stores.redis,
        keyPrefix,
        points,
        duration,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      })
      limiters.set(keyPrefix, limiter)
    }
    return limiter
  }
}
