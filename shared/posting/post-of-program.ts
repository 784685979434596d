import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { oneLine } from '#shared/domain/one-line.ts'
import type { MessageCard, MessageExtra } from '#shared/domain/payloads/messages.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkPost } from './check-post.ts'
import { type OfProgram, post } from './post.ts'
import { postOnce, type SentMessage } from './post-once.ts'

export interface ProgramPost {
  /** The text with the flattened cards. */
  text: string
  cards?: readonly MessageCard[] | undefined
  /** The character of `text` where the flattened cards begin. */
  cardsAt?: number | undefined
  /** The name and emoji that the program gives itself, and its hook. */
  bot?: MessageExtra['bot'] | undefined
  replyTo?: number | undefined
  /** A post with the id of an earlier one of the bot returns that one. */
  clientId?: string | undefined
  mayMentionEveryone: boolean
  /** The text mentions nobody but people by their names: groups are words. */
  isToPeopleOnly?: boolean
}

/** Bytes of the JSON of cards; more are left out, and their flattened lines are drawn. */
const MOST_CARD_BYTES = 32 * 1_024
/** Characters of the name and emoji of a program. */
const LONGEST_NAME = 80

/**
 * Posts in the name of a bot, for hooks, commands and the Slack API. It counts for no rate limit. Throws as `/send` does where
 * the bot may not write, where the text is empty or over `max_message_chars`, and 409 for a client id of another channel.
 */
export function postOfProgram(
  stores: Stores,
  bot: Username,
  channel: ReadableChannel,
  draft: ProgramPost,
): Promise<SentMessage> {
  const { text, replyTo, clientId, mayMentionEveryone, isToPeopleOnly } = draft
  return postOnce(stores, bot, { clientId, channel: channel.id }, async () => {
    const mentioned = await checkPost(stores, bot, channel, { text, mayMentionEveryone, isToPeopleOnly })
    return post(stores, bot, channel, {
      ...{ text, replyTo, clientId, mentioned },
      files: [],
      ofProgram: ofProgram(draft),
    })
  })
}

/** The keys of `extra` of a post, also for an edit (`edit` of services/api/messages). They are bounded and storable. */
export function ofProgram({ bot, cards = [], cardsAt = 0 }: Pick<ProgramPost, 'bot' | 'cards' | 'cardsAt'>) {
  const json = JSON.stringify(cards, wellFormed)
  const drawn: MessageCard[] = Buffer.byteLength(json) <= MOST_CARD_BYTES ? JSON.parse(json) : []
  const shown = bot && shownBot(bot)
  const extra: OfProgram = {
    ...(shown && Object.keys(shown).length > 0 && { bot: shown }),
    ...(drawn.length > 0 && { cards: drawn, cards_at: cardsAt }),
  }
  return extra
}

/** A cut, or a key of the sender, may leave half of a surrogate pair. */
const wellFormed = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

function shownBot({ name = '', emoji = '', ...rest }: NonNullable<ProgramPost['bot']>): ProgramPost['bot'] {
  const [shownName, shownEmoji] = [oneLine(name, LONGEST_NAME), oneLine(emoji, LONGEST_NAME)]
  return { ...(shownName && { name: shownName }), ...(shownEmoji && { emoji: shownEmoji }), ...rest }
}
