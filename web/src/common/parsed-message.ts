import type { MessagePayload } from '#shared/domain/payloads.ts'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { mentionsOf } from '../store/selectors.ts'
import { type Block, parseMarkup } from './markup.ts'

const kept = new WeakMap<MessagePayload, Block[]>()

/** Parses the text of a message once. */
export function parsedOf(row: MessagePayload): Block[] {
  const known = kept.get(row)
  if (known) return known
  const blocks = parseMarkup(row.content ?? '', {
    mentions: mentionsOf(row),
    isEmoji: name => REACTION_EMOJI.has(name),
  })
  kept.set(row, blocks)
  return blocks
}
