import type { Seconds } from './units.ts'

/** Interface 3.3: people silent for longer are left out of the list. */
export const ONLINE_WINDOW: Seconds = 3_600
/** Interface 2.7: older typing records are stale. */
export const TYPING_FRESH: Seconds = 5
/** Interface 3.3: tabs silent for longer do not count. */
export const TAB_FRESH: Seconds = 90

export const PRESENCE_STATES = ['active', 'idle', 'hidden', 'offline'] as const
export type PresenceState = (typeof PRESENCE_STATES)[number]
export const PRESENCE_OVERRIDES = ['active', 'idle', 'offline'] as const
export type PresenceOverride = (typeof PRESENCE_OVERRIDES)[number]

export interface Presence {
  state: PresenceState
  last_seen: Seconds
  override: PresenceOverride | null
  /** The last report came from a named tab: without further ones the person is soon gone. */
  by_tab: boolean
}

export const isPresenceState = (value: unknown): value is PresenceState =>
  PRESENCE_STATES.includes(value as PresenceState)

/** Returns null to clear the override, undefined for an invalid value (interface 4.6). */
export function overrideFrom(value: unknown): PresenceOverride | null | undefined {
  if (value === null || value === '' || value === 'auto') return null
  return PRESENCE_OVERRIDES.includes(value as PresenceOverride) ? (value as PresenceOverride) : undefined
}

/** Returns the state shown to others; undefined once the last report is too old. */
export function shownPresence(presence: Presence, now: Seconds): PresenceState | undefined {
  if (now - presence.last_seen > ONLINE_WINDOW) return undefined
  if (presence.override !== null) return presence.override
  return presence.by_tab && now - presence.last_seen > TAB_FRESH ? 'offline' : presence.state
}

/** Returns the most active state of several tabs. */
export function liveliest(states: PresenceState[]): PresenceState | undefined {
  return PRESENCE_STATES.find(state => states.includes(state))
}
