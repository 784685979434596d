import { readersOf } from '#shared/access/readers.ts'
import { TYPING_FRESH } from '#shared/domain/presence.ts'
import type { ChannelCollection } from './collection.ts'

export const typing: ChannelCollection<'typing'> = {
  event: 'typing',
  scope: 'channel',
  minInterval: 1_000,

  async read(stores, viewers, channel) {
    const fresh = stores.clock.now() - TYPING_FRESH
    const typers = (await stores.redis.zrangebyscore(stores.keys.typing(channel), fresh, '+inf')).sort()
    const readers = await readersOf(stores, viewers, channel)
    const others = (viewer: string) =>
      typers.includes(viewer) ? typers.filter(name => name !== viewer) : typers
    return new Map([...readers.keys()].map(viewer => [viewer, others(viewer)]))
  },

  /** Returns when the next typing record goes stale. */
  async changesAt({ redis, keys, clock }, channel) {
    const fresh = clock.now() - TYPING_FRESH
    const [, oldest] = await redis.zrangebyscore(
      keys.typing(channel),
      fresh,
      '+inf',
      'WITHSCORES',
      'LIMIT',
      0,
      1,
    )
    // Slightly later, since a record of exactly that age still counts.
    return oldest === undefined ? undefined : Number(oldest) + TYPING_FRESH + 0.01
  },
}
