/**
 * Origins of jumps within a channel, for going back (ui.md 5.4). Jumps between channels are in the browser's history.
 */
import type { ChannelId } from '#shared/domain/units.ts'

interface Spot {
  channel: ChannelId
  id: number
}

const MOST = 20
let spots: Spot[] = []

export function noteJump(channel: ChannelId, id: number) {
  if (id > 0) spots = [...spots, { channel, id }].slice(-MOST)
}

/** Returns the last origin in this channel and drops those of others. */
export function takeJump(channel: ChannelId): Spot | undefined {
  spots = spots.filter(spot => spot.channel === channel)
  return spots.pop()
}
