import type { Seconds } from '#shared/domain/units.ts'
import { tokenOfStreamKey } from '#shared/http/tokens.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Stream } from './stream.ts'

/** Lifetime of a claim: more than two keep-alive visits. Claims of a killed gateway expire. */
const CLAIM: Seconds = 30

export interface Slots {
  /** Returns whether the stream may open. `openHere`: the viewer's streams in this process. */
  claim(stream: Stream, openHere: number): Promise<boolean>
  free(stream: Stream): void
  keep(streams: Stream[]): Promise<void>
}

/** A token has a limit of its own. No name contains the colon of its key. */
const claimantOf = ({ viewer, session }: Stream) =>
  tokenOfStreamKey(session) === undefined ? viewer : session

/** The limit of streams per user over all gateways, under rate limiting (interface 6). */
export function slots({ redis, keys, scripts, settings, clock }: Stores): Slots {
  return {
    async claim(stream, openHere) {
      const { rate_limit_enabled, max_event_streams_per_user } = settings.current
      if (!rate_limit_enabled) return true
      const key = keys.streamsOf(claimantOf(stream))
      try {
        return await scripts.claimStreamSlot(key, stream.id, clock.now(), CLAIM, max_event_streams_per_user)
      } catch (err) {
        if (!isRedisAway(err)) throw err
        // Without Redis, each gateway counts its own streams.
        return openHere < max_event_streams_per_user
      }
    },

    free(stream) {
      // Removing a claim that was never made is harmless; without Redis the claim expires.
      redis.zrem(keys.streamsOf(claimantOf(stream)), stream.id).catch(() => {})
    },

    async keep(streams) {
      if (!settings.current.rate_limit_enabled) return
      const claims = redis.pipeline()
      for (const stream of streams) {
        const key = keys.streamsOf(claimantOf(stream))
        claims.zadd(key, clock.now() + CLAIM, stream.id).expire(key, CLAIM)
      }
      await claims.exec()
    },
  }
}
