import type { ChannelId } from '#shared/domain/units.ts'

/** The channels that need a position for this order: those behind them stay sorted as the person chose. */
export function placedIn(
  order: readonly ChannelId[],
  moved: ChannelId,
  hasPosition: (channel: ChannelId) => boolean,
): ChannelId[] {
  return order.slice(0, order.findLastIndex(channel => channel === moved || hasPosition(channel)) + 1)
}
