import type { Seconds } from '#shared/rules/units.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Stream } from './stream.ts'

/** A claim outlives two visits of the keep-alive; those of a gateway that was killed run out by themselves. */
const CLAIM: Seconds = 30

export interface Slots {
  /** True: the stream may open. `openHere`: the streams its viewer has in this process. */
  claim(stream: Stream, openHere: number): Promise<boolean>
  free(stream: Stream): void
  keep(streams: Stream[]): Promise<void>
}

/** The ceiling of streams per user over all gateways (interface 6; decisions, Event stream), while rate limiting is on. */
export function slots({ redis, keys, scripts, settings, clock }: Stores): Slots {
  return {
    async claim(stream, openHere) {
      const { rate_limit_enabled, max_event_streams_per_user } = settings.current
      if (!rate_limit_enabled) return true
      const key = keys.streamsOf(stream.viewer)
      try {
        return await scripts.claimStreamSlot(key, stream.id, clock.now(), CLAIM, max_event_streams_per_user)
      } catch (err) {
        if (!isRedisAway(err)) throw err
        // Nobody can count over all gateways now: this one counts for itself.
        return openHere < max_event_streams_per_user
      }
    },

    free(stream) {
      // One that was never claimed is not in there; when Redis is away the claim runs out.
      redis.zrem(keys.streamsOf(stream.viewer), stream.id).catch(() => {})
    },

    async keep(streams) {
      if (!settings.current.rate_limit_enabled) return
      const claims = redis.pipeline()
      for (const { viewer, id } of streams) {
        const key = keys.streamsOf(viewer)
        claims.zadd(key, clock.now() + CLAIM, id).expire(key, CLAIM)
      }
      await claims.exec()
    },
  }
}
