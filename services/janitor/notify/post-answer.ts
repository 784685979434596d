import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { answerIn } from '#shared/domain/answer-payload.ts'
import { type SlackMessage, slackMessage } from '#shared/domain/slack-shape.ts'
import { type Fields, InvalidPayload, textIn } from '#shared/domain/slack-values.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import type { OutgoingReply } from '#shared/jobs/outgoing-job.ts'
import { postOfProgram } from '#shared/posting/post-of-program.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Claim, SendingHook } from './hooks.ts'

/**
 * The bot of a hook posts what its receiver answers to a message of a person (interface 19.5): once for a delivery, whose id
 * is the client id. Bots that answer bots would never end. Throws while a store is away; what the bot may not post is lost.
 */
export async function postAnswer(
  stores: Stores,
  { id: hook, bot }: SendingHook,
  { id: clientId, event }: Claim,
  reply: OutgoingReply,
): Promise<void> {
  try {
    const answer = answerOf(reply, stores.settings.current.max_message_chars)
    if (!answer) return
    const message = await messageOfPerson(stores.db, event.data['id'] as number)
    if (!message) return
    const channel = await findReadableChannel(stores, bot, message.channel)
    if (!channel) return
    const { content: text, cards, cardsAt, isComment } = answer
    await postOfProgram(stores, bot, channel, {
      ...{ text, cards, cardsAt, clientId, replyTo: isComment ? message.id : undefined },
      ...{ mayMentionEveryone: false, isToPeopleOnly: true },
    })
  } catch (err) {
    if (noteStoreFailure(err) || (err instanceof HttpError && err.status >= 500)) throw err
    if (err instanceof HttpError || err instanceof InvalidPayload) log.info({ hook }, 'answer not posted')
    else log.warn({ err, hook }, 'answer not posted')
  }
}

type Answer = Pick<SlackMessage, 'content' | 'cards' | 'cardsAt'> & { isComment: boolean }

/** Undefined for what is no JSON object, or shows nothing. Throws `InvalidPayload`. */
export function answerOf({ body, cut }: Pick<OutgoingReply, 'body' | 'cut'>, longest: number) {
  if (cut || !body.trimStart().startsWith('{')) return undefined
  const fields: Fields = answerIn(body, 'application/json') ?? {}
  const { text, attachments } = fields
  const message = slackMessage({ text, attachments }, { tellsEveryone: false, longest })
  if (message.content === '') return undefined
  const answer: Answer = { ...message, isComment: textIn(fields, 'response_type') === 'comment' }
  return answer
}

async function messageOfPerson(db: Db, id: number): Promise<{ id: number; channel: ChannelId } | undefined> {
  const { rows } = await db.query<{ id: number; channel: ChannelId }>(
    `select message.id, message.channel
       from messages message
       join users author on author.username = message.sender
      where message.id = $1 and message.deleted = 0 and author.kind = 'person'`,
    [id],
  )
  return rows[0]
}
