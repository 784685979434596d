/** Combines messages of a conversation within ten seconds into one notification (ui.md 6.6). Pure but for its state. */
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'

const ONE_WITHIN: Milliseconds = 10_000

export interface Burst {
  /** Messages so far, including these. */
  count: number
  /** The first alerts; later ones update the notification. */
  isFirst: boolean
}

export function newBursts() {
  const bursts = new Map<ChannelId, { count: number; since: Milliseconds }>()
  return {
    add(channel: ChannelId, by: number, now: Milliseconds): Burst {
      const known = bursts.get(channel)
      const isFirst = !known || now - known.since >= ONE_WITHIN
      const burst = isFirst ? { count: by, since: now } : { ...known, count: known.count + by }
      bursts.set(channel, burst)
      return { count: burst.count, isFirst }
    },
    /** Forgets a burst that was read. */
    end(channel: ChannelId) {
      bursts.delete(channel)
    },
  }
}
