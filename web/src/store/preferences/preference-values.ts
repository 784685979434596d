/**
 * Preferences of a device (ui.md 5.9) and their parser. Pure. Values that are not understood fall back to the default.
 */
import type { ChannelId } from '#shared/domain/units.ts'

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  /** Size of messages, in px at the browser's default font size. */
  textSize: 14 | 15 | 17
  density: 'comfortable' | 'compact'
  /** Messages in a column, or over the whole width of the window. */
  width: 'column' | 'full'
  clock: 'system' | '24' | '12'
  motion: 'system' | 'reduce'
  /** Cards under links in messages. */
  showCards: boolean
  /** Where a channel with unread messages opens. */
  opensAt: 'unread' | 'newest'
  /** By hand: only with "mark as read", or by writing. */
  marksRead: 'seen' | 'byHand'
  /** Single-letter shortcuts in the message list (WCAG 2.1.4 requires a switch). */
  singleLetterKeys: boolean
  /** Enter sends, or Ctrl+Enter (⌘ on macOS); the other way to write a line break is Shift+Enter. */
  sendWith: 'enter' | 'ctrlEnter'
  /** The formatting bar above the text. */
  showFormatting: boolean
  /** Skin tone of inserted emoji: 0 none, 1 light to 5 dark. */
  skinTone: number
  /** New messages announced by the polite live region. */
  announcements: 'all' | 'mentions' | 'none'

  /** System notifications. They also need the browser's permission. */
  desktop: boolean
  /** Shows the text of the message, not only the sender. */
  desktopText: boolean
  desktopMentions: boolean
  desktopDirect: boolean
  /** Channels with a notification for every message. */
  everyMessageIn: ChannelId[]
  /** For mentions and direct messages. */
  sounds: boolean
  /** For incoming calls. */
  callSounds: boolean
  /** 0 to 1. */
  volume: number
  /** Milliseconds since 1970; only badges until then. */
  mutedUntil: number | 'forever' | null

  startWithCameraOff: boolean
  /** Device ids from the browser; empty: the system's default. */
  microphone: string
  camera: string
  speaker: string
}

export const DEFAULTS: Preferences = {
  theme: 'system',
  textSize: 15,
  density: 'comfortable',
  width: 'column',
  clock: 'system',
  motion: 'system',
  showCards: true,
  opensAt: 'unread',
  marksRead: 'seen',
  singleLetterKeys: true,
  sendWith: 'enter',
  showFormatting: false,
  skinTone: 0,
  announcements: 'all',
  desktop: true,
  desktopText: true,
  desktopMentions: true,
  desktopDirect: true,
  everyMessageIn: [],
  sounds: true,
  callSounds: true,
  volume: 0.6,
  mutedUntil: null,
  startWithCameraOff: true,
  microphone: '',
  camera: '',
  speaker: '',
}

const oneOf =
  (...allowed: unknown[]) =>
  (value: unknown) =>
    allowed.includes(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isId = (value: unknown) => typeof value === 'string' && value.length <= 500

const CHECKS: { [K in keyof Preferences]: (value: unknown) => boolean } = {
  theme: oneOf('system', 'light', 'dark'),
  textSize: oneOf(14, 15, 17),
  density: oneOf('comfortable', 'compact'),
  width: oneOf('column', 'full'),
  clock: oneOf('system', '24', '12'),
  motion: oneOf('system', 'reduce'),
  showCards: isBoolean,
  opensAt: oneOf('unread', 'newest'),
  marksRead: oneOf('seen', 'byHand'),
  singleLetterKeys: isBoolean,
  sendWith: oneOf('enter', 'ctrlEnter'),
  showFormatting: isBoolean,
  skinTone: oneOf(0, 1, 2, 3, 4, 5),
  announcements: oneOf('all', 'mentions', 'none'),
  desktop: isBoolean,
  desktopText: isBoolean,
  desktopMentions: isBoolean,
  desktopDirect: isBoolean,
  everyMessageIn: value => Array.isArray(value) && value.every(isId),
  sounds: isBoolean,
  callSounds: isBoolean,
  volume: value => typeof value === 'number' && value >= 0 && value <= 1,
  mutedUntil: value => value === null || value === 'forever' || Number.isFinite(value),
  startWithCameraOff: isBoolean,
  microphone: isId,
  camera: isId,
  speaker: isId,
}

export function readPreferences(stored: string | null): Preferences {
  const values = objectIn(stored)
  const kept = Object.entries(CHECKS).flatMap(([name, isGood]) =>
    isGood(values[name]) ? [[name, values[name]]] : [],
  )
  return { ...DEFAULTS, ...Object.fromEntries(kept) }
}

/** Stores only the differences from the defaults, so that a later default reaches everybody who chose nothing. */
export function writtenPreferences(preferences: Preferences): string {
  const chosen = Object.entries(preferences).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULTS[name as keyof Preferences]),
  )
  return JSON.stringify(Object.fromEntries(chosen))
}

export function isMutedAt(mutedUntil: Preferences['mutedUntil'], now: number): boolean {
  return mutedUntil === 'forever' || (mutedUntil !== null && mutedUntil > now)
}

/** Hour: before it, "tomorrow" means the coming morning. */
const NIGHT_ENDS = 4

/** Eight in the morning of the next day, by the local clock. */
export function tomorrowMorning(now: Date): number {
  const days = now.getHours() < NIGHT_ENDS ? 0 : 1
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 8).getTime()
}

function objectIn(stored: string | null): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(stored ?? '{}')
    return found !== null && typeof found === 'object' ? (found as Record<string, unknown>) : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}
