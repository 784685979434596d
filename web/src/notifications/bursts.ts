/** Several within ten seconds from one conversation are told as one (ui.md 6.6). Pure but for what it remembers. */
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'

const ONE_WITHIN: Milliseconds = 10_000

export interface Burst {
  /** How many there are by now, these included. */
  count: number
  /** The first of them calls; the others change what stands there. */
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
    /** What is read does not count for what comes next. */
    end(channel: ChannelId) {
      bursts.delete(channel)
    },
  }
}
