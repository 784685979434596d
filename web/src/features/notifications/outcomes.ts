/** Outcome of an event by the viewer's place (ui.md 6.6). Pure. */
import type { ChannelLevel } from '#shared/domain/channel-level.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { isMutedAt, type Preferences } from '../../store/preferences/preference-values.ts'

/** `other`: typing, reactions, joining. */
export type Happening = 'mention' | 'direct' | 'channel' | 'call' | 'other'

/** A focused tab shows the channel, a focused tab shows something else, or no tab has the focus. */
export type Place = 'here' | 'elsewhere' | 'background'

export interface Outcome {
  /** Counts: in the sidebar; direct messages and mentions also in the title, the favicon and the app badge. */
  badge: boolean
  /** The chime, or the ring of a call. */
  sound: boolean
  desktop: boolean
}

const NOTHING: Outcome = { badge: false, sound: false, desktop: false }
const BADGE: Outcome = { ...NOTHING, badge: true }

/** All possible outcomes, before the viewer's settings. */
const TABLE: { [H in Happening]: { [P in Place]: Outcome } } = {
  mention: {
    // The row itself is highlighted.
    here: NOTHING,
    elsewhere: { ...BADGE, sound: true },
    background: { badge: true, sound: true, desktop: true },
  },
  direct: { here: NOTHING, elsewhere: BADGE, background: { badge: true, sound: true, desktop: true } },
  channel: { here: NOTHING, elsewhere: BADGE, background: { ...BADGE, desktop: true } },
  // Shown as a card on every screen.
  call: {
    here: { ...NOTHING, sound: true },
    elsewhere: { ...NOTHING, sound: true },
    background: { ...NOTHING, sound: true, desktop: true },
  },
  other: { here: NOTHING, elsewhere: NOTHING, background: NOTHING },
}

export type Choices = Pick<
  Preferences,
  'desktop' | 'desktopMentions' | 'desktopDirect' | 'everyMessageIn' | 'sounds' | 'callSounds' | 'mutedUntil'
>

/** `level`: the viewer's choice for the channel (interface 12.2). */
export function outcomeOf(
  happening: Happening,
  channel: ChannelId,
  place: Place,
  choices: Choices,
  now: number,
  level: ChannelLevel = 'default',
): Outcome {
  const most = TABLE[happening][place]
  if (isMutedAt(choices.mutedUntil, now)) return { ...most, sound: false, desktop: false }
  return {
    badge: most.badge,
    sound:
      most.sound &&
      (happening === 'call' ? choices.callSounds : choices.sounds && byLevel(happening, level) !== false),
    desktop:
      most.desktop && choices.desktop && (byLevel(happening, level) ?? isWanted(happening, channel, choices)),
  }
}

/** Undefined: the settings of this device decide. Calls have no level. */
function byLevel(happening: Happening, level: ChannelLevel): boolean | undefined {
  if (happening === 'call' || level === 'default') return undefined
  if (level === 'mentions') return happening === 'mention'
  return level === 'all'
}

function isWanted(happening: Happening, channel: ChannelId, choices: Choices): boolean {
  if (choices.everyMessageIn.includes(channel)) return true
  switch (happening) {
    case 'mention':
      return choices.desktopMentions || (channel.startsWith('dm:') && choices.desktopDirect)
    case 'direct':
      return choices.desktopDirect
    case 'channel':
    case 'other':
      return false
    case 'call':
      return true
  }
}

/** Badges depend on the event and the place, never on settings. */
export const hasBadge = (happening: Happening, place: Place) => TABLE[happening][place].badge

/** `inFront`: channels open in focused tabs; an empty name stands for a tab without a channel. */
export function placeOf(channel: ChannelId, inFront: ReadonlySet<ChannelId>): Place {
  if (inFront.has(channel)) return 'here'
  return inFront.size > 0 ? 'elsewhere' : 'background'
}
