import type { MessagePayload } from '#shared/domain/payloads.ts'
import { mentionsOf } from '../../store/selectors.ts'
import { isEmojiName } from './emoji-table.ts'
import { type Block, parseMarkup } from './markup.ts'

const kept = new WeakMap<MessagePayload, Block[]>()

/** Parses the text of a message once; a text with emoji names again until the emoji table is loaded. */
export function parsedOf(row: MessagePayload): Block[] {
  const known = kept.get(row)
  if (known) return known
  let missing = false
  const blocks = parseMarkup(row.content ?? '', {
    mentions: mentionsOf(row),
    isEmoji: name => {
      const found = isEmojiName(name)
      missing ||= !found
      return found
    },
  })
  if (!missing) kept.set(row, blocks)
  return blocks
}
