import type { Request, Response } from 'express'
import { currentNames } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { answerIn } from '#shared/domain/answer-payload.ts'
import { InvalidPayload } from '#shared/domain/slack-values.ts'
import type { Username } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { readBytes } from '../middleware/read-bytes.ts'
import { type Asked, askedAt, takeUse } from './answer-addresses.ts'
import { answersIn, giveAnswers } from './give-answer.ts'
import { keepAnswer } from './keep-answer.ts'
import { type CommandRow, commandNamed, whenMade } from './queries.ts'

/** Reads and gives an answer that came to a `response_url`. Errors are those of incoming hooks. */
export async function giveLateAnswer(stores: Stores, req: Request, res: Response, token: string) {
  await rateLimits(stores)(['anonymous', networkOf(req.ip ?? '')])
  await commandOf(stores, await askedAt(stores, token))
  const payload = answerIn((await readBytes(req, res)).toString(), req.get('Content-Type'))
  if (!payload) throw new HttpError(400, 'no_text')
  const answers = answersIn(stores, payload)
  if (answers.length === 0) throw new HttpError(400, 'no_text')
  const asked = await takeUse(stores, token)
  const command = await commandOf(stores, asked)
  const ephemeral = await giveAnswers(stores, command.bot, asked!, answers)
  if (ephemeral && !(await keepForAsker(stores, asked!, command.bot, ephemeral.content)))
    throw new HttpError(403, 'action_prohibited')
}

/** An item of the inbox. False if the person is gone, or left the channel. */
async function keepForAsker(stores: Stores, asked: Asked, bot: Username, text: string): Promise<boolean> {
  const [asker] = await currentNames(stores.db, [asked.asker])
  const channel = asker && (await findReadableChannel(stores, asker, asked.channel))
  if (!channel) return false
  const kept = { reader: asker, channel: channel.id, command: asked.command, bot, text }
  return (await keepAnswer(stores, kept)) !== undefined
}

/** The address ends with its command, and with its channel. */
async function commandOf(stores: Stores, asked: Asked | undefined): Promise<CommandRow> {
  const command = asked && (await commandNamed(stores.db, asked.command))
  if (!command || command.created_ts !== asked.madeTs) throw new HttpError(404, 'no_service')
  if ((await whenMade(stores.db, asked.channel)) !== asked.channelMadeTs)
    throw new HttpError(404, 'no_service')
  return command
}

/** For the sender: a sentence of the interface means nothing to it. */
export function refusalOf(err: unknown): unknown {
  return err instanceof InvalidPayload ? new HttpError(400, 'invalid_payload') : err
}
