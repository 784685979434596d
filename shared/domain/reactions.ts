import { REACTION_EMOJI } from './reaction-table.ts'

/** Different reactions to a message at most: each change sends all of them to every tab of the channel. */
export const MOST_REACTIONS = { ofPerson: 20, ofMessage: 50 } as const

/** A single visible emoji: a base with modifiers, a flag, a keycap or a joined sequence. */
const EMOJI = /^\p{RGI_Emoji}$/v
/** Requests the coloured form; some keyboards omit it. */
const VARIATION_SELECTOR = '\ufe0f'
const LONGEST_EMOJI = 32

/** Accepts a name of the set or any Unicode emoji (interface 2.4). */
export function isReaction(text: string): boolean {
  if (REACTION_EMOJI.has(text)) return true
  if (text.length > LONGEST_EMOJI) return false
  return EMOJI.test(text) || EMOJI.test(text + VARIATION_SELECTOR)
}

const bare = (emoji: string) => emoji.replaceAll(VARIATION_SELECTOR, '')

const NAMES: ReadonlyMap<string, string> = new Map(
  [...REACTION_EMOJI].map(([name, emoji]) => [bare(emoji), name]),
)

/**
 * Returns the only key of a reaction, so that one emoji is counted once: the name of the table for its character, else the
 * coloured form (interface 2.4).
 */
export function reactionKey(reaction: string): string {
  if (REACTION_EMOJI.has(reaction) || !isReaction(reaction)) return reaction
  return NAMES.get(bare(reaction)) ?? (EMOJI.test(reaction) ? reaction : reaction + VARIATION_SELECTOR)
}
