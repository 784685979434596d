import type { MessagePayload } from '#shared/domain/payloads.ts'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { channelNames } from '../store/names.ts'
import { mentionsOf } from '../store/selectors.ts'
import { type Block, parseMarkup } from './markup.ts'

const kept = new WeakMap<MessagePayload, { channels: readonly string[]; blocks: Block[] }>()

/** Parses the text of a message once, and again when the channels have other names. */
export function parsedOf(row: MessagePayload): Block[] {
  const channels = channelNames.value
  const known = kept.get(row)
  if (known?.channels === channels) return known.blocks
  const blocks = parseMarkup(row.content ?? '', {
    mentions: mentionsOf(row),
    groups: row.extra?.groups ?? [],
    isEmoji: name => REACTION_EMOJI.has(name),
    channels,
  })
  kept.set(row, { channels, blocks })
  return blocks
}
