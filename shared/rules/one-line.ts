/**
 * A stranger's text as one line that can only be read: white space folded, and nothing left that acts instead of being
 * seen: control characters, the marks that turn the direction of what follows, and those without any width.
 * Joiners stay, emoji and several scripts are written with them.
 */
export function oneLine(text: string, most: number): string {
  return cutTo(
    text.toWellFormed().replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim(),
    most,
  )
}

const UNSEEN =
  /\p{Cc}|[\u{00ad}\u{034f}\u{061c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}]|[\u{e0000}-\u{e001f}]/gu

/** Never through the middle of a character that takes two units. */
function cutTo(text: string, most: number) {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
