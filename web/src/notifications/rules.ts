/** What happens when something comes, by where the person is (ui.md 6.6). Pure. */
import type { ChannelId } from '#shared/rules/units.ts'
import { isMutedAt, type Preferences } from '../store/preference-values.ts'

/** `other`: somebody types, reacts, joins. */
export type Happening = 'mention' | 'direct' | 'channel' | 'call' | 'other'

/** In front with that channel open, in front with something else, or nowhere in front. */
export type Place = 'here' | 'elsewhere' | 'background'

export interface Outcome {
  /** Counts: in the sidebar, and for directs and mentions in the title, the favicon and on the app. */
  badge: boolean
  /** The chime; of a call, the ring. */
  sound: boolean
  desktop: boolean
}

const NOTHING: Outcome = { badge: false, sound: false, desktop: false }
const BADGE: Outcome = { ...NOTHING, badge: true }

/** Everything that may come of it, before anybody has chosen anything. */
const TABLE: { [H in Happening]: { [P in Place]: Outcome } } = {
  mention: {
    // The row itself is marked.
    here: NOTHING,
    elsewhere: { ...BADGE, sound: true },
    background: { badge: true, sound: true, desktop: true },
  },
  direct: { here: NOTHING, elsewhere: BADGE, background: { badge: true, sound: true, desktop: true } },
  channel: { here: NOTHING, elsewhere: BADGE, background: { ...BADGE, desktop: true } },
  // Shown as a card wherever one is.
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

export function outcomeOf(
  happening: Happening,
  channel: ChannelId,
  place: Place,
  choices: Choices,
  now: number,
): Outcome {
  const most = TABLE[happening][place]
  if (isMutedAt(choices.mutedUntil, now)) return { ...most, sound: false, desktop: false }
  return {
    badge: most.badge,
    sound: most.sound && (happening === 'call' ? choices.callSounds : choices.sounds),
    desktop: most.desktop && choices.desktop && isWanted(happening, channel, choices),
  }
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

/** Whoever has nothing of it in front of them sees that something waits, whatever they have chosen. */
export const hasBadge = (happening: Happening, place: Place) => TABLE[happening][place].badge

/** `inFront`: what is open in tabs that are looked at; empty names stand for tabs with nothing open. */
export function placeOf(channel: ChannelId, inFront: ReadonlySet<ChannelId>): Place {
  if (inFront.has(channel)) return 'here'
  return inFront.size > 0 ? 'elsewhere' : 'background'
}
