/** The text at the caret that can be completed. Pure. */
export interface Typing {
  kind: 'mention' | 'emoji' | 'channel'
  typed: string
  /** Index of its `@`, `:` or `#`. */
  from: number
}

const MENTION = /(?:^|[^A-Za-z0-9_@/.+-])@([A-Za-z0-9_-]{0,32})$/
const EMOJI = /(?:^|\s):([a-z0-9_]{2,32})$/
/** After white space or an opening bracket, and not before white space, as in a heading. */
const CHANNEL = /(?:^|[\s([{"'*])#([^\s#]{0,32})$/
const LOOK_BACK = 64

export function typingAt(text: string, caret: number): Typing | undefined {
  const before = text.slice(Math.max(0, caret - LOOK_BACK), caret)
  const mention = MENTION.exec(before)
  if (mention) return { kind: 'mention', typed: mention[1]!, from: caret - mention[1]!.length - 1 }
  const emoji = EMOJI.exec(before)
  if (emoji) return { kind: 'emoji', typed: emoji[1]!, from: caret - emoji[1]!.length - 1 }
  const channel = CHANNEL.exec(before)
  if (channel) return { kind: 'channel', typed: channel[1]!, from: caret - channel[1]!.length - 1 }
  return undefined
}

/** Returns the text with the choice inserted and the new caret. Adds a space unless one follows. */
export function completed(text: string, caret: number, typing: Typing, choice: string) {
  const rest = text.slice(caret)
  const gap = /^\s/.test(rest) ? '' : ' '
  const before = text.slice(0, typing.from) + choice + gap
  return { text: before + rest, caret: before.length + (gap === '' ? 1 : 0) }
}

/** Puts marks around the selection, or removes them. */
export function wrapped(text: string, start: number, end: number, mark: string) {
  const [before, inside, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  if (before.endsWith(mark) && after.startsWith(mark)) {
    const from = start - mark.length
    return {
      text: before.slice(0, from) + inside + after.slice(mark.length),
      start: from,
      end: end - mark.length,
    }
  }
  return { text: before + mark + inside + mark + after, start: start + mark.length, end: end + mark.length }
}
