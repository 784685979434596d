import { readersOf } from '#shared/access/readers.ts'
import { TYPING_FRESH } from '#shared/domain/presence.ts'
import type { ChannelCollection } from './collection.ts'
import { guestsIn, joinedAmong } from './read-receipts.ts'

export const typing: ChannelCollection<'typing'> = {
  event: 'typing',
  scope: 'channel',
  minInterval: 1_000,

  async read(stores, viewers, channel) {
    const fresh = stores.clock.now() - TYPING_FRESH
    const typers = (await stores.redis.zrangebyscore(stores.keys.typing(channel), fresh, '+inf')).sort()
    const readers = [...(await readersOf(stores, viewers, channel)).keys()]
    const guests = typers.length === 0 ? new Set() : await guestsIn(stores.db, readers, channel)
    const forGuests = guests.size === 0 ? typers : (await joinedAmong(stores, typers, channel)).sort()
    return new Map(
      readers.map(viewer => {
        const shown = guests.has(viewer) ? forGuests : typers
        return [viewer, shown.includes(viewer) ? shown.filter(name => name !== viewer) : shown]
      }),
    )
  },

  /** Returns when the next typing record goes stale. */
  async changesAt({ redis, keys }, channel, asOf) {
    const fresh = asOf - TYPING_FRESH
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
