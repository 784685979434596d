import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { EMOJI_ALIASES, REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { channelNames } from '../store/channels/names.ts'
import { customEmoji } from '../store/messages/custom-emoji.ts'
import { mentionsOf } from '../store/messages/selectors.ts'
import { type Block, type Known, parseMarkup } from './markup.ts'

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
  const blocks = parseMarkup(row.content ?? '', knownIn(mentionsOf(row), row.extra?.groups))
  kept.set(row, { channels, emoji, blocks })
  return blocks
}

/** The names that a text may contain: those that the server found, and the emoji and channels that the viewer knows. */
export function knownIn(mentions: string[], groups: readonly string[] = []): Known {
  const emoji = customEmoji.value
  return {
    mentions,
    groups,
    isEmoji: name => REACTION_EMOJI.has(name) || EMOJI_ALIASES.has(name) || emoji.has(name),
    channels: channelNames.value,
  }
}
