/** What a tab tells the others of itself, and what follows for all of them. Pure. */
import type { PresenceState } from '#shared/rules/payloads.ts'
import { liveliest } from '#shared/rules/presence.ts'
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'

export interface TabState {
  presence: PresenceState
  /** Of a tab that is looked at, the channel that is open, or nothing open there. */
  front: ChannelId | '' | undefined
  inCall: boolean
  /** Browsers let a page sound only after it was touched. */
  canSound: boolean
}

/** Three times of not saying so. */
const LOST_AFTER: Milliseconds = 10_000

/** Nothing is expected of a hidden tab: it says when it comes back and when it goes, and counts for nothing meanwhile. */
export function isFresh(state: TabState, at: Milliseconds, now: Milliseconds): boolean {
  return now - at < LOST_AFTER || (state.presence === 'hidden' && state.front === undefined && !state.inCall)
}

export function presenceOfAll(tabs: TabState[]): PresenceState {
  return liveliest(tabs.map(tab => tab.presence)) ?? 'hidden'
}
