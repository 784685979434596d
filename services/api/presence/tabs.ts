import type { PresenceState } from '#shared/domain/payloads.ts'
import { isPresenceState, liveliest, ONLINE_WINDOW, TAB_FRESH } from '#shared/domain/presence.ts'
import type { Username } from '#shared/domain/units.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Far above real use; a client that sends a new tab id with each report must not fill Redis. */
const MOST_TABS = 50

/** The combined state of a user's tabs after one reported `state` (decisions, Presence). */
export async function stateOfTabs(stores: Stores, username: Username, tab: string, state: PresenceState) {
  const { redis, keys, clock } = stores
  const now = clock.now()
  const key = keys.tabsOf(username)
  try {
    const replies = await redis
      .multi()
      .hset(key, tab, `${state} ${now}`)
      .expire(key, ONLINE_WINDOW)
      .hgetall(key)
      .exec()
    const tabs = Object.entries((replies?.[2]?.[1] ?? {}) as Record<string, string>)
    const newestFirst = tabs.toSorted(([, one], [, other]) => saidAt(other) - saidAt(one))
    const fresh = newestFirst.slice(0, MOST_TABS).filter(([, said]) => now - saidAt(said) <= TAB_FRESH)
    const gone = newestFirst.slice(fresh.length).map(([name]) => name)
    if (gone.length > 0) await redis.hdel(key, ...gone)
    return liveliest(fresh.map(([, said]) => said.split(' ')[0]).filter(isPresenceState)) ?? state
  } catch (err) {
    if (!isRedisAway(err)) throw err
    return state
  }
}

const saidAt = (said: string) => Number(said.split(' ')[1])
