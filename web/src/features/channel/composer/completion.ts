/** The text at the caret that can be completed. Pure. */
export interface Typing {
  kind: 'mention' | 'emoji' | 'channel' | 'command'
  typed: string
  /** Index of its `@`, `:`, `#`, `~` or `/`. */
  from: number
}

/** Names have letters of every script, and a space between first and last name. */
const MENTION = /(?:^|[^\p{L}\p{N}_@/.+-])@([\p{L}\p{N}\p{M}_.'’-]{0,32}(?: [\p{L}\p{N}\p{M}_.'’-]{1,32})?)$/u
/** Not in capitals alone: `:DD` is a face. */
const EMOJI = /(?:^|\s):(?!\p{Lu}+$)([\p{L}\p{N}_+-]{2,32})$/u
/** After white space or an opening bracket, and not before white space, as in a heading. A lone `~` is a mark. */
const CHANNEL = /(?:^|[\s([{"'*])(?:#([^\s#]{0,32})|~([^\s#~]{1,32}))$/
/** At the very start of the text. */
const COMMAND = /^\/([a-z0-9_-]{0,32})$/i
const LOOK_BACK = 64

export function typingAt(text: string, caret: number): Typing | undefined {
  const before = text.slice(Math.max(0, caret - LOOK_BACK), caret)
  const mention = MENTION.exec(before)
  if (mention) return { kind: 'mention', typed: mention[1]!, from: caret - mention[1]!.length - 1 }
  const emoji = EMOJI.exec(before)
  if (emoji) return { kind: 'emoji', typed: emoji[1]!, from: caret - emoji[1]!.length - 1 }
  const channel = CHANNEL.exec(before)
  if (channel) {
    const typed = channel[1] ?? channel[2]!
    return { kind: 'channel', typed, from: caret - typed.length - 1 }
  }
  const command = caret < LOOK_BACK && COMMAND.exec(before)
  return command ? { kind: 'command', typed: command[1]!, from: 0 } : undefined
}

/** Returns the text with the choice inserted and the new caret. Adds a space unless one follows. */
export function completed(text: string, caret: number, typing: Typing, choice: string) {
  const rest = text.slice(caret)
  const gap = /^\s/.test(rest) ? '' : ' '
  const before = text.slice(0, typing.from) + choice + gap
  return { text: before + rest, caret: before.length + (gap === '' ? 1 : 0) }
}
