import type { MessagePayload } from '#shared/domain/payloads.ts'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { customEmoji } from '../store/custom-emoji.ts'
import { channelNames } from '../store/names.ts'
import { mentionsOf } from '../store/selectors.ts'
import { type Block, parseMarkup } from './markup.ts'

interface Parsed {
  channels: readonly string[]
  emoji: object
  blocks: Block[]
}

const kept = new WeakMap<MessagePayload, Parsed>()

/** Parses the text of a message once, and again when channels have other names or the workspace other emoji. */
export function parsedOf(row: MessagePayload): Block[] {
  const channels = channelNames.value
  const emoji = customEmoji.value
  const known = kept.get(row)
  if (known?.channels === channels && known.emoji === emoji) return known.blocks
  const blocks = parseMarkup(row.content ?? '', {
    mentions: mentionsOf(row),
    groups: row.extra?.groups ?? [],
    isEmoji: name => REACTION_EMOJI.has(name) || emoji.has(name),
    channels,
  })
  kept.set(row, { channels, emoji, blocks })
  return blocks
}
