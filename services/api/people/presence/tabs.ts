import type { PresenceState } from '#shared/domain/payloads/people.ts'
import { isPresenceState, liveliest, ONLINE_WINDOW, TAB_FRESH } from '#shared/domain/presence.ts'
import type { Username } from '#shared/domain/units.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Far above real use; a client that sends a new tab id with each report must not fill Redis. */
const MOST_TABS = 50

/** Records the state of one tab. Returns the combined state of the user's tabs (interface 3.3). */
export async function recordTab(
  stores: Stores,
  username: Username,
  tab: string,
  state: PresenceState,
): Promise<PresenceState> {
  const { redis, keys, clock } = stores
  const key = keys.tabsOf(username)
  const reply = await orNothing(() =>
    redis.multi().hset(key, tab, `${state} ${clock.now()}`).expire(key, ONLINE_WINDOW).hgetall(key).exec(),
  )
  return (await combined(stores, key, reply?.[2]?.[1] as Tabs | undefined)) ?? state
}

/** The combined state of a user's tabs; undefined if there are none, or while Redis is away. */
export async function stateOfTabs(stores: Stores, username: Username): Promise<PresenceState | undefined> {
  const key = stores.keys.tabsOf(username)
  return combined(stores, key, await orNothing(() => stores.redis.hgetall(key)))
}

/** By tab: state and time of the last report. */
type Tabs = Record<string, string>

/** Forgets tabs without recent reports. */
async function combined({ redis, clock }: Stores, key: string, tabs: Tabs = {}) {
  const now = clock.now()
  const newestFirst = Object.entries(tabs).toSorted(([, one], [, other]) => saidAt(other) - saidAt(one))
  const fresh = newestFirst.slice(0, MOST_TABS).filter(([, said]) => now - saidAt(said) <= TAB_FRESH)
  const gone = newestFirst.slice(fresh.length).map(([name]) => name)
  if (gone.length > 0) await orNothing(() => redis.hdel(key, ...gone))
  return liveliest(fresh.map(([, said]) => said.split(' ')[0]).filter(isPresenceState))
}

async function orNothing<T>(command: () => Promise<T>): Promise<T | undefined> {
  try {
    return await command()
  } catch (err) {
    if (!isRedisAway(err)) throw err
    return undefined
  }
}

const saidAt = (said: string) => Number(said.split(' ')[1])
