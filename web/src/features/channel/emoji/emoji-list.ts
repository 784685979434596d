/** All emoji, and those used on this device. A chunk of its own: `lazy-emoji.ts` fetches it. */
import table from 'virtual:emoji-table'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { readList } from '../../../store/device/newest-first.ts'
import { persisted } from '../../../store/device/persisted.ts'
import { customEmoji } from '../../../store/messages/custom-emoji.ts'
import { folded } from './folded.ts'
import { findEmoji } from './search.ts'
import { type Emoji, readEmojiTable } from './table.ts'

export const emojiGroups = readEmojiTable(table)

/** The emoji of the workspace. */
export const ownEmoji = (): Emoji[] =>
  [...customEmoji.value.keys()].map(name => ({
    emoji: `:${name}:`,
    isOwn: true,
    hasTones: false,
    reaction: name,
    name,
    labels: { en: name, de: name },
    names: [folded(name)],
    keywords: [],
  }))

/** The best matches of a typed word for a completion. */
export const completionsOf = (typed: string, most: number): Emoji[] =>
  findEmoji([...ownEmoji(), ...emojiGroups.flat()], typed, recentEmoji()).slice(0, most)

export { toned } from './tones.ts'

const used = persisted('bothy emoji used')
const KEPT = 36
const USUAL = ['👍', '✅', '👀', '🎉', '❤️', '😂', '🙏', '👏', '🔥']

/** The emoji used on this device, latest first, then some that many people use. */
export function recentEmoji(): string[] {
  // Older clients kept reaction names.
  const kept = readList(used).map(one => REACTION_EMOJI.get(one) ?? one)
  return [...new Set([...kept, ...USUAL])]
}

export function noteEmoji(emoji: string) {
  const others = recentEmoji().filter(other => other !== emoji)
  used.write(JSON.stringify([emoji, ...others].slice(0, KEPT)))
}
