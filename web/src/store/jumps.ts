/** From where one has jumped within a channel, so that one can go back (ui.md 5.4). Jumps between channels are the browser's history. */
import type { ChannelId } from '#shared/rules/units.ts'

interface Spot {
  channel: ChannelId
  id: number
}

const MOST = 20
let spots: Spot[] = []

export function noteJump(channel: ChannelId, id: number) {
  if (id > 0) spots = [...spots, { channel, id }].slice(-MOST)
}

/** The last one in this channel; those of other channels are over. */
export function takeJump(channel: ChannelId): Spot | undefined {
  spots = spots.filter(spot => spot.channel === channel)
  return spots.pop()
}
