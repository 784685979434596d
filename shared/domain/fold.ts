/**
 * Folding of texts for searches (interface 14.1), as the functions of SQL in 0001_baseline.sql do it; `fold.slow.test.ts`
 * compares them character by character.
 */

export const REPLACED: Readonly<Record<string, string>> = {
  ς: 'σ',
  ı: 'i',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o\u0338',
  ł: 'l\u0335',
  đ: 'd\u0335',
  ħ: 'h\u0335',
  ŧ: 't\u0335',
}
/** Characters that nobody sees: soft hyphens, joiners, marks of direction, selectors of emoji. */
const UNSEEN = '\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff'
const SPECIAL = new RegExp(`[${Object.keys(REPLACED).join('')}${UNSEEN}]`, 'gu')

/** Marks of accents, not vowel signs of Indic scripts and voicing marks of Japanese. For a class of a pattern, also of SQL. */
const ACCENTS =
  '\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'
const ACCENT = new RegExp(`[${ACCENTS}]`, 'u')
const ALL_ACCENTS = new RegExp(`[${ACCENTS}]+`, 'gu')

const ASCII = /^[\0-\x7f]*$/
export const isAscii = (text: string): boolean => ASCII.test(text)

/** Without case and compatibility forms; accents are separate marks. */
export const withAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(SPECIAL, character => REPLACED[character] ?? '')

/** Without accents, too. */
export const fold = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : withAccents(text).replace(ALL_ACCENTS, '').normalize('NFC')

/**
 * A pattern for texts of `withAccents` that have the accents of a word; undefined for a word without accents. Letters
 * without accents in the word match those with some. The same in JavaScript and SQL.
 */
export function accentPattern(accented: string): string | undefined {
  if (!ACCENT.test(accented)) return undefined
  return Array.from(
    accented,
    character => `${character.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)}[${ACCENTS}]*`,
  ).join('')
}

/** A letter with its marks; jamo make syllables together. */
const CLUSTER = /[\u1100-\u11ff]+|[^\p{M}]\p{M}*|\p{M}+/gu

export interface Folded {
  text: string
  /** The range in the original of a range in `text`, in UTF-16 units. Not of an empty one. */
  original: (from: number, to: number) => [from: number, to: number]
}

/** Folds a text so that ranges in it lead back to the original. */
export function foldWithPlaces(original: string): Folded {
  if (isAscii(original)) return { text: original.toLowerCase(), original: (from, to) => [from, to] }
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    const folded = fold(cluster)
    for (let i = 0; i < folded.length; i++) {
      starts.push(index)
      ends.push(index + cluster.length)
    }
    text += folded
  }
  return { text, original: (from, to) => [starts[from]!, ends[to - 1]!] }
}
