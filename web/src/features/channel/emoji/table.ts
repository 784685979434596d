import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { folded } from './folded.ts'

/** An emoji that can be picked. */
export interface Emoji {
  emoji: string
  hasTones: boolean
  /** Its reaction name (interface 2.4); undefined if it cannot be a reaction. */
  reaction?: string
  /** For `:name:`; the reaction name first. */
  name: string
  labels: { en: string; de: string }
  /** An emoji of the workspace: a picture, not a character. */
  isOwn?: true
  /** Folded, like the keywords: labels, their words, and tags. */
  names: string[]
  keywords: string[]
}

/** In Unicode order: faces, people, nature, food, travel, activities, objects, symbols, flags. */
export type EmojiGroups = Emoji[][]

/** Without the variation selector, which sources place differently. */
const plain = (emoji: string) => emoji.replaceAll('\uFE0F', '')

const REACTION_OF: ReadonlyMap<string, string> = new Map(
  [...REACTION_EMOJI].map(([name, emoji]) => [plain(emoji), name]),
)

/** Reads the text of `emojiTable` (web/emoji-table.ts). */
export function readEmojiTable(table: string): EmojiGroups {
  return table.split('\n\n').map(group => group.split('\n').map(readLine))
}

function readLine(line: string): Emoji {
  const [emoji = '', tones, shortcodes = '', en = '', tagsEn = '', de = '', tagsDe = ''] = line.split('\t')
  const reaction = REACTION_OF.get(plain(emoji))
  const own = shortcodes === '' ? [] : shortcodes.split(' ')
  const names = reaction === undefined ? own : [...new Set([reaction, ...own])]
  const tags = [...tagsEn.split(','), ...tagsDe.split(',')].filter(Boolean)
  return {
    emoji,
    hasTones: tones === '1',
    ...(reaction !== undefined && { reaction }),
    name: names[0] ?? nameOf(en),
    labels: { en, de },
    names: names.map(folded),
    // The table has no tags that are words of the label.
    keywords: [...new Set([en, de, ...`${en} ${de}`.split(/[\s:,()-]+/), ...tags].map(folded))],
  }
}

/** The short name of an emoji without another: its English label. */
export const nameOf = (label: string) => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
