import de from 'emojibase-data/de/data.json' with { type: 'json' }
import en from 'emojibase-data/en/data.json' with { type: 'json' }
import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' }
import { nameOf } from './src/features/channel/emoji/table.ts'
import { TONES, toned } from './src/features/channel/emoji/tones.ts'

interface Entry {
  emoji: string
  hexcode: string
  label: string
  tags?: string[]
  version: number
  group?: number
  order?: number
  skins?: { emoji: string; version: number }[]
}

/** Newer emoji are blank boxes in the fonts of most systems. */
const NEWEST = 16
/** Parts such as skin tones and hair, which are no emoji of their own. */
const COMPONENTS = 2

/**
 * The emoji of the picker in Unicode order, as text for `emoji/table.ts`: a line per emoji, with a blank line after each
 * group. Fields: emoji, `1` with skin tones, short names, label and keywords in English, label and keywords in German.
 */
export function emojiTable(): string {
  const german = new Map((de as Entry[]).map(entry => [entry.hexcode, entry]))
  const shown = (en as Entry[])
    .filter(({ group, version }) => group !== undefined && group !== COMPONENTS && version <= NEWEST)
    .sort((a, b) => a.order! - b.order!)
  const groups = Map.groupBy(shown, entry => entry.group!)
  return [...groups.keys()]
    .sort((a, b) => a - b)
    .map(group =>
      groups
        .get(group)!
        .map(entry => lineOf(entry, german.get(entry.hexcode)!))
        .join('\n'),
    )
    .join('\n\n')
}

function lineOf(entry: Entry, german: Entry) {
  const names = [(shortcodes as Record<string, string | string[]>)[entry.hexcode] ?? []].flat()
  const ownNames = names.filter(name => name !== nameOf(entry.label))
  const fields = [
    entry.emoji.replaceAll(NEEDLESS_SELECTOR, '$1'),
    hasTones(entry) ? '1' : '',
    ownNames.join(' '),
    entry.label,
    keywords(entry).join(),
    german.label,
    keywords(german, entry.tags).join(),
  ]
  return fields.join('\t')
}

/** A variation selector after a character that is an emoji without it. */
const NEEDLESS_SELECTOR = /(\p{Emoji_Presentation})\uFE0F/gu

/** Flags are found by country, and men and women by the emoji without gender. */
const WITHOUT_KEYWORDS = /\p{Regional_Indicator}|\u200D[\u2640\u2642]/u

/** Keywords that say more than the label, and than those that are known already: half of the size. */
function keywords({ emoji, label, tags = [] }: Entry, known: string[] = []) {
  if (WITHOUT_KEYWORDS.test(emoji)) return []
  const words = wordsOf(label)
  const isIn = (tag: string) => wordsOf(tag).every(part => words.some(word => word.startsWith(part)))
  return tags.filter(tag => !isIn(tag) && !known.includes(tag.toLowerCase()))
}

const wordsOf = (text: string) => text.toLowerCase().split(/[\s:,()-]+/)

/** False for skin tones that are newer than the emoji, or that do not follow from it. */
function hasTones({ emoji, skins = [] }: Entry) {
  const known = new Set(skins.filter(({ version }) => version <= NEWEST).map(skin => skin.emoji))
  return TONES.slice(1).every((_, at) => known.has(toned(emoji, at + 1)))
}
