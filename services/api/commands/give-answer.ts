import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { EphemeralPayload } from '#shared/domain/payloads/commands.ts'
import { type SlackMessage, slackMessage, withCards } from '#shared/domain/slack-shape.ts'
import { type Fields, listIn, textIn } from '#shared/domain/slack-values.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { postOfProgram } from '#shared/posting/post-of-program.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { whenMade } from './queries.ts'

/** Where a command was given. `channelMadeTs` is that of `whenMade`: another channel may have the id since. */
export interface Place {
  channel: ChannelId
  channelMadeTs: Seconds | null
  replyTo: number | undefined
}

const MOST_EXTRA = 5

interface Answer {
  message: SlackMessage
  isForChannel: boolean
}

/** The answers of a program, in the shape of Slack and Mattermost, that show something. Throws `InvalidPayload`. */
export function answersIn({ settings }: Stores, payload: Fields): Answer[] {
  const options = { tellsEveryone: false, longest: settings.current.max_message_chars }
  return [payload, ...listIn(payload, 'extra_responses').slice(0, MOST_EXTRA)]
    .map(one => ({
      message: slackMessage(one, options),
      isForChannel: textIn(one, 'response_type') === 'in_channel',
    }))
    .filter(({ message }) => message.content !== '')
}

/**
 * The bot of a command posts what is for the channel. The rest, and what the bot may not post, is returned for the person
 * alone; undefined for nothing.
 */
export async function giveAnswers(
  stores: Stores,
  bot: Username,
  place: Place,
  answers: readonly Answer[],
): Promise<EphemeralPayload | undefined> {
  const own: SlackMessage[] = []
  for (const { message, isForChannel } of answers)
    if (!isForChannel || !(await isPosted(stores, bot, place, message))) own.push(message)
  return together(own, stores.settings.current.max_message_chars)
}

async function isPosted(
  stores: Stores,
  bot: Username,
  place: Place,
  message: SlackMessage,
): Promise<boolean> {
  const { content: text, cards, cardsAt, name, emoji } = message
  try {
    const channel = await findReadableChannel(stores, bot, place.channel)
    if (!channel || (await whenMade(stores.db, channel.id)) !== place.channelMadeTs) return false
    await postOfProgram(stores, bot, channel, {
      ...{ text, cards, cardsAt, replyTo: place.replyTo, mayMentionEveryone: false },
      ...((name ?? emoji) !== undefined && {
        bot: { ...(name !== undefined && { name }), ...(emoji !== undefined && { emoji }) },
      }),
    })
    return true
  } catch (err) {
    // The bot may not write there.
    if (err instanceof HttpError && err.status < 500) return false
    throw err
  }
}

function together(messages: readonly SlackMessage[], longest: number): EphemeralPayload | undefined {
  if (messages.length === 0) return undefined
  const texts = messages.map(({ content, cards, cardsAt }) =>
    (cards.length > 0 ? content.slice(0, cardsAt) : content).trim(),
  )
  const all = withCards(
    texts.filter(Boolean).join('\n\n'),
    messages.flatMap(({ cards }) => cards),
    longest,
  )
  return { content: all.content, cards: all.cards, cards_at: all.cardsAt }
}
