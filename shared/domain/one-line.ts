/**
 * Sanitises untrusted text to a single line: folds white space and removes control, bidirectional and zero-width
 * characters, and marks stacked higher than in any language. Keeps joiners and variation selectors, which emoji and
 * several scripts need. Returns '' when nothing visible is left.
 */
export function oneLine(text: string, most: number): string {
  const seen = text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(STACKED, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(seen) ? cutTo(seen, most) : ''
}

const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu

/** Tibetan stacks up to six marks. */
const STACKED = /(?<=\p{M}{8})\p{M}+/gu

/** Cuts without splitting a surrogate pair. */
function cutTo(text: string, most: number) {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}

/** True for a name that people read: one visible line, without control or invisible characters. */
export const isName = (text: string): boolean => text !== '' && oneLine(text, text.length) === text

/** The text, or '' if it shows nothing: white space, format characters, fillers, the empty braille pattern. */
export const visibleText = (text: string): string => (SEEN.test(text) ? text : '')

const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u
