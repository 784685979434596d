import type { Block } from './markup.ts'

/** As many are shown large. */
const MOST = 3

/** An emoji with its modifiers and those joined to it, a flag, or a key cap. */
const EMOJI =
  /^(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Emoji_Modifier_Base}(?=\p{Emoji_Modifier}))(?:\p{Emoji_Modifier}|\uFE0F|[\u{E0020}-\u{E007F}])*(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)*)*)\s*/u

/** True for a message of one to three emoji and nothing else. */
export function isEmojiOnly(blocks: Block[]): boolean {
  const [first] = blocks
  if (blocks.length !== 1 || first?.kind !== 'paragraph') return false
  let count = 0
  for (const node of first.children) {
    if (node.kind === 'emoji') count++
    else if (node.kind !== 'text') return false
    else {
      const found = countIn(node.text)
      if (found === undefined) return false
      count += found
    }
  }
  return count > 0 && count <= MOST
}

/** Undefined with other characters, or with too many. */
function countIn(text: string): number | undefined {
  let rest = text.trimStart()
  let count = 0
  while (rest !== '' && count <= MOST) {
    const length = EMOJI.exec(rest)?.[0].length
    if (!length) return undefined
    rest = rest.slice(length)
    count++
  }
  return count
}
