/** The state that a tab reports to the others, and its evaluation. Pure. */
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import { liveliest } from '#shared/domain/presence.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'

export interface TabState {
  presence: PresenceState
  /** In a visible tab, the open channel, or '' if none is open. */
  front: ChannelId | '' | undefined
  inCall: boolean
  /** Browsers allow sound only after a user gesture. */
  canSound: boolean
}

/** Three missed reports. */
const LOST_AFTER: Milliseconds = 10_000

/**
 * Hidden tabs send no heartbeats: they report when they become visible and when they close, and count for nothing
 * meanwhile.
 */
export function isFresh(state: TabState, at: Milliseconds, now: Milliseconds): boolean {
  return now - at < LOST_AFTER || (state.presence === 'hidden' && state.front === undefined && !state.inCall)
}

export function presenceOfAll(tabs: TabState[]): PresenceState {
  return liveliest(tabs.map(tab => tab.presence)) ?? 'hidden'
}
