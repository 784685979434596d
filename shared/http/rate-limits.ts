import { LRUCache } from 'lru-cache'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Rate, RateName, Settings } from '#shared/runtime/settings.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Taken, TokenLimit } from '#shared/stores/scripts.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Tokens of a limit, by name and key (a user or an address); 1 by default. Tokens of `files` are KiB. */
export type Charge = readonly [name: RateName | 'burst', key: string, tokens?: number]

/** A limit after a charge: `count` in `seconds`, of which `remaining` is left until it resets after `resets`. */
export interface Standing {
  name: Charge[0]
  count: number
  seconds: Seconds
  remaining: number
  resets: Milliseconds
}

/**
 * Takes the tokens of all charges, or refuses with 429 and takes none if a limit is reached (interface 8). Returns how the
 * limits stand; of a refusal, `standingsAt` does.
 */
export type TakeTokens = (...charges: Charge[]) => Promise<readonly Standing[]>

const atRefusal = new WeakMap<object, readonly Standing[]>()

/** The limits that refused a request. */
export const standingsAt = (err: unknown): readonly Standing[] =>
  (typeof err === 'object' && err !== null && atRefusal.get(err)) || []

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

interface Limiter {
  take: TakeTokens
  hasRoomHere(charge: Charge): boolean
}

const limiters = new WeakMap<Stores, Limiter>()

/**
 * The limits of the settings, counted in Redis in a single round trip, or in memory for IN_PROCESS or without Redis.
 */
export const rateLimits = (stores: Stores): TakeTokens => limiterFor(stores).take

/** Whether an IN_PROCESS charge would be taken now; takes nothing. */
export const hasRoomHere = (stores: Stores, charge: Charge): boolean => limiterFor(stores).hasRoomHere(charge)

function limiterFor(stores: Stores): Limiter {
  let limiter = limiters.get(stores)
  if (!limiter) {
    limiter = limiterOf(stores)
    limiters.set(stores, limiter)
  }
  return limiter
}

function limiterOf(stores: Stores): Limiter {
  const windows = new Windows()

  return {
    take,
    hasRoomHere: charge =>
      !stores.settings.current.rate_limit_enabled || windows.waitFor([namedLimit(charge)]) === 0,
  }

  async function take(...charges: Charge[]) {
    if (!stores.settings.current.rate_limit_enabled) return []
    const here: NamedLimit[] = []
    const shared: NamedLimit[] = []
    for (const charge of charges) {
      const limit = namedLimit(charge)
      if (limit.tokens > 0) (IN_PROCESS.has(limit.name) ? here : shared).push(limit)
    }
    const standings: Standing[] = []
    if (here.length > 0) standings.push(...standingsOf(windows.take(here), here))
    if (shared.length > 0) standings.push(...standingsOf(await takeShared(shared), shared))
    return standings
  }

  function namedLimit([name, key, tokens = 1]: Charge): NamedLimit {
    const [count, seconds] = limitOf(name, stores.settings.current.rate_limits)
    const ofStores = `${stores.keys.ratePrefix()}:${name}:${count}:${seconds}:${key}`
    return { name, key: ofStores, tokens, count, seconds }
  }

  async function takeShared(limits: TokenLimit[]): Promise<Taken> {
    try {
      return await stores.scripts.takeTokens(limits)
    } catch (err) {
      if (!isRedisAway(err)) log.warn({ err }, 'rate limits not counted in redis')
      return windows.take(limits)
    }
  }
}

/** Throws 429 if nothing was taken. Names the first limit in the metrics where several are taken together. */
function standingsOf({ wait, windows }: Taken, limits: readonly NamedLimit[]): Standing[] {
  const standings = limits.map(({ name, count, seconds }, i) => {
    const { taken, left } = windows[i]!
    return { name, count, seconds, remaining: Math.max(0, count - taken), resets: left }
  })
  if (wait === 0) return standings
  const { name } = limits[0]!
  const error: HttpError = errors.tooMany(wait / 1_000, name === 'burst' ? 'send' : name)
  atRefusal.set(error, standings)
  throw error
}

/** Counters in memory at most; the least recently used goes first. */
const MOST_COUNTERS = 50_000

/** In-memory counters with the rule of scripts/take-tokens.lua: fixed windows that begin with their first token. */
class Windows {
  readonly #counters = new LRUCache<string, { taken: number; ends: Milliseconds }>({ max: MOST_COUNTERS })

  take(limits: readonly TokenLimit[]): Taken {
    const now = performance.now()
    const counters = limits.map(limit => this.#counterOf(limit, now))
    const wait = this.waitFor(limits, now)
    for (const [i, { key, tokens }] of wait > 0 ? [] : limits.entries()) {
      counters[i]!.taken += tokens
      this.#counters.set(key, counters[i]!)
    }
    return { wait, windows: counters.map(({ taken, ends }) => ({ taken, left: ends - now })) }
  }

  /** Until all limits have room. */
  waitFor(limits: readonly TokenLimit[], now = performance.now()): Milliseconds {
    return Math.max(
      ...limits.map(limit => {
        const { taken, ends } = this.#counterOf(limit, now)
        return taken + limit.tokens > limit.count ? ends - now : 0
      }),
    )
  }

  #counterOf({ key, seconds }: TokenLimit, now: Milliseconds) {
    const counter = this.#counters.get(key)
    return counter && counter.ends > now ? counter : { taken: 0, ends: now + seconds * 1_000 }
  }
}
