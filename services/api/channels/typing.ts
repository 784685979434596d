import { TYPING_FRESH } from '#shared/domain/presence.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { unchanged } from '#shared/notices/write.ts'
import { TYPING_KEPT } from '#shared/stores/keys.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Records typing; does nothing while Redis is unavailable (interface 4.6: always 204). */
export async function recordTyping({ redis, keys, clock }: Stores, typer: Username, channel: ChannelId) {
  const key = keys.typing(channel)
  const now = clock.now()
  try {
    await redis
      .multi()
      .zadd(key, now, typer)
      .zremrangebyscore(key, '-inf', `(${now - TYPING_FRESH}`)
      .expire(key, TYPING_KEPT)
      .exec()
  } catch (err) {
    if (!isRedisAway(err)) throw err
    return unchanged
  }
}

/** Sending ends typing (interface 4.3). If Redis is unavailable, the entry expires on its own. */
export async function clearTyping({ redis, keys }: Stores, typer: Username, channel: ChannelId) {
  try {
    await redis.zrem(keys.typing(channel), typer)
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
}
