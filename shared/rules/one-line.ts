/**
 * A stranger's text as one line that can only be read: white space folded, and nothing left that acts instead of being
 * seen: control characters, the marks that turn the direction of what follows, and those without any width. Joiners and
 * variation selectors stay, emoji and several scripts are written with them. Empty when nothing is left to see.
 */
export function oneLine(text: string, most: number): string {
  const seen = text.toWellFormed().replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(seen) ? cutTo(seen, most) : ''
}

const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu

/** Never through the middle of a character that takes two units. */
function cutTo(text: string, most: number) {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
