import type { PresenceOverride, PresenceState } from './payloads.ts'
import type { Seconds } from './units.ts'

/** Interface 3.3: who was not heard of for longer is left out of the list. */
export const ONLINE_WINDOW: Seconds = 3_600
/** Interface 2.7: an older typing record is stale. */
export const TYPING_FRESH: Seconds = 5
/** Decisions, Presence: a tab that has not reported for so long no longer counts. */
export const TAB_FRESH: Seconds = 90

const STATES: readonly PresenceState[] = ['active', 'idle', 'hidden', 'offline']
const OVERRIDES: readonly PresenceOverride[] = ['active', 'idle', 'offline']

export interface Presence {
  state: PresenceState
  last_seen: Seconds
  override: PresenceOverride | null
}

export const isPresenceState = (value: unknown): value is PresenceState =>
  STATES.includes(value as PresenceState)

/** null clears the override; undefined is no override at all (interface 4.6). */
export function overrideFrom(value: unknown): PresenceOverride | null | undefined {
  if (value === null || value === '' || value === 'auto') return null
  return OVERRIDES.includes(value as PresenceOverride) ? (value as PresenceOverride) : undefined
}

/** What others see of a person; nothing once the last word from their tabs is too old. */
export function shownPresence(presence: Presence, now: Seconds): PresenceState | undefined {
  if (now - presence.last_seen > ONLINE_WINDOW) return undefined
  return presence.override ?? presence.state
}

/** Of several tabs the liveliest counts. */
export function liveliest(states: PresenceState[]): PresenceState | undefined {
  return STATES.find(state => states.includes(state))
}
