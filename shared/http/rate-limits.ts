import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Rate, RateName, Settings } from '#shared/runtime/settings.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { TokenLimit } from '#shared/stores/scripts.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Tokens of a limit, by name and key (a user or an address); 1 by default. Tokens of `files` are KiB. */
export type Charge = readonly [name: RateName | 'burst', key: string, tokens?: number]

/**
 * Takes the tokens of all charges, or refuses with 429 and takes none if a limit is reached (interface 8).
 */
export type TakeTokens = (...charges: Charge[]) => Promise<void>

/**
 * Limits counted per process, because they concern nearly every request and a counter in Redis would cost each a round
 * trip.
 */
const IN_PROCESS: ReadonlySet<Charge[0]> = new Set(['other', 'requests', 'token', 'anonymous'])

/** Tokens for each unit of a setting, where they are smaller than the unit. */
const TOKENS_OF_UNIT: { [name in RateName]?: number } = { files: 1_024 }

/** Messages at once: a sixth of the limit within a twelfth of its time. */
const burstOf = ([count, seconds]: Rate): Rate => [Math.ceil(count / 6), Math.ceil(seconds / 12)]

function limitOf(name: Charge[0], limits: Settings['rate_limits']): Rate {
  if (name === 'burst') return burstOf(limits.send)
  const [units, seconds] = limits[name]
  return [units * (TOKENS_OF_UNIT[name] ?? 1), seconds]
}

type NamedLimit = TokenLimit & { name: Charge[0] }

const limiters = new WeakMap<Stores, TakeTokens>()

/**
 * The limits of the settings, counted in Redis in a single round trip, or in memory for IN_PROCESS or without Redis.
 */
export function rateLimits(stores: Stores): TakeTokens {
  let limiter = limiters.get(stores)
  if (!limiter) {
    limiter = limiterOf(stores)
    limiters.set(stores, limiter)
  }
  return limiter
}

function limiterOf(stores: Stores): TakeTokens {
  const windows = new Windows()

  return async (...charges) => {
    const { rate_limit_enabled, rate_limits } = stores.settings.current
    if (!rate_limit_enabled) return
    const here: NamedLimit[] = []
    const shared: NamedLimit[] = []
    for (const [name, key, tokens = 1] of charges) {
      if (tokens <= 0) continue
      const [count, seconds] = limitOf(name, rate_limits)
      const limit = {
        name,
        key: `${stores.keys.ratePrefix()}:${name}:${count}:${seconds}:${key}`,
        tokens,
        count,
        seconds,
      }
      ;(IN_PROCESS.has(name) ? here : shared).push(limit)
    }
    if (here.length > 0) throwTooMany(windows.take(here), here)
    if (shared.length > 0) throwTooMany(await takeShared(shared), shared)
  }

  async function takeShared(limits: TokenLimit[]): Promise<Milliseconds> {
    try {
      return await stores.scripts.takeTokens(limits)
    } catch (err) {
      if (!isRedisAway(err)) log.warn({ err }, 'rate limits not counted in redis')
      return windows.take(limits)
    }
  }
}

/** Names the first limit in the metrics where several are taken together. */
function throwTooMany(wait: Milliseconds, [first]: readonly NamedLimit[]) {
  if (wait > 0) throw errors.tooMany(wait / 1_000, first!.name === 'burst' ? 'send' : first!.name)
}

/** Counters in memory at most; the least recently used goes first. */
const MOST_COUNTERS = 50_000

/** In-memory counters with the rule of scripts/take-tokens.lua: fixed windows that begin with their first token. */
class Windows {
  readonly #counters = new LRUCache<string, { taken: number; ends: Milliseconds }>({ max: MOST_COUNTERS })

  /** Returns 0, or takes nothing and returns the milliseconds until the exceeded limit resets. */
  take(limits: readonly TokenLimit[]): Milliseconds {
    const now = performance.now()
    const counters = limits.map(({ key, seconds }) => {
      const counter = this.#counters.get(key)
      return counter && counter.ends > now ? counter : { taken: 0, ends: now + seconds * 1_000 }
    })
    let wait = 0
    for (const [i, { tokens, count }] of limits.entries()) {
      const { taken, ends } = counters[i]!
      if (taken + tokens > count) wait = Math.max(wait, ends - now)
    }
    if (wait > 0) return wait
    for (const [i, { key, tokens }] of limits.entries()) {
      counters[i]!.taken += tokens
      this.#counters.set(key, counters[i]!)
    }
    return 0
  }
}
