import { randomUUID } from 'node:crypto'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { answerIn } from '#shared/domain/answer-payload.ts'
import type { CommandAnswerPayload } from '#shared/domain/payloads/commands.ts'
import { InvalidPayload } from '#shared/domain/slack-values.ts'
import type { Username } from '#shared/domain/units.ts'
import { type OutgoingAnswer, sendOutgoing } from '#shared/jobs/outgoing-job.ts'
import { checkMayPost } from '#shared/posting/check-post.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { type Secrets, secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { madeOnce } from '../middleware/made-once.ts'
import { openAnswers } from './answer-addresses.ts'
import { noSuchCommand, purposeOf } from './change-commands.ts'
import { commandRequest } from './command-request.ts'
import { answersIn, giveAnswers, type Place } from './give-answer.ts'
import {
  type CommandRow,
  channelName,
  commandNamed,
  forgetMade,
  noteUse,
  replaceSealed,
  whenMade,
} from './queries.ts'

export interface GivenCommand {
  text: string
  replyTo: number | undefined
  clientId: string | undefined
  /** The address of this server. */
  origin: string
}

/** Bytes of the text in a form; the other fields have the rest of what a request may have (MOST_SENT). */
const MOST_TEXT = 192 * 1_024
const COMMAND = /^\/([a-z0-9_-]{1,32})(?:\s+([\s\S]*))?$/i

/**
 * Sends a command of the workspace to its program and gives the answer. Undefined if there is nothing for the person alone.
 * A repetition with the same client id sends nothing, and has no answer: ephemeral ones are stored nowhere.
 */
export async function runCommand(
  stores: Stores,
  config: Config,
  asker: Username,
  channel: ReadableChannel,
  given: GivenCommand,
): Promise<CommandAnswerPayload | undefined> {
  const [, word, rest = ''] = COMMAND.exec(given.text.trim()) ?? []
  if (word === undefined) throw errors.invalid('text must be / and the name of a command, and what follows')
  if (new URLSearchParams({ text: rest }).toString().length > MOST_TEXT)
    throw errors.coded(413, 'too_large', 'The text is too long for a command.')
  await checkMayPost(stores, asker, channel)
  const command = await commandNamed(stores.db, word.toLowerCase())
  if (!command) throw noSuchCommand()
  const { clientId } = given
  const { body } = await madeOnce(stores.db, asker, `/command/${channel.id}`, clientId, async keep => {
    // Before it is sent: a repetition must not run it again, also after a crash.
    await keep(stores.db, { status: 204, body: null })
    const channelMadeTs = await whenMade(stores.db, channel.id)
    const place = { channel: channel.id, channelMadeTs, replyTo: given.replyTo }
    const answer = await ask(stores, config, asker, channel, command, place, { ...given, text: rest.trim() })
    if ('error' in answer && answer.error === 'unsent' && clientId !== undefined)
      await forgetMade(stores.db, asker, clientId)
    return { status: 200, body: await give(stores, command, place, answer) }
  })
  return (body as CommandAnswerPayload | null) ?? undefined
}

async function ask(
  stores: Stores,
  config: Config,
  asker: Username,
  channel: ReadableChannel,
  command: CommandRow,
  place: Place,
  { text, origin }: GivenCommand,
): Promise<OutgoingAnswer> {
  const secrets = secretsUnder(config)
  const secret = secrets.open(command.secret_enc, purposeOf(command.name, 'secret'))
  const verifyToken = secrets.open(command.verify_token_enc, purposeOf(command.name, 'verify_token'))
  if (secret === null || verifyToken === null) {
    log.error({ command: command.name }, 'secrets of a command cannot be read: make it anew')
    return { error: 'unsent' }
  }
  await renewSecrets(stores, command, secrets)
  const asked = { ...place, asker, command: command.name, madeTs: command.created_ts }
  const token = await openAnswers(stores, asked).catch(err => {
    log.warn({ err }, 'no address for late answers')
    return undefined
  })
  if (token === undefined) return { error: 'unsent' }
  const { host } = new URL(origin)
  const fields = {
    command: `/${command.name}`,
    text,
    user_id: asker,
    user_name: asker,
    channel_id: channel.id,
    channel_name: await channelName(stores.db, channel),
    team_id: host,
    team_domain: host,
    response_url: `${origin}/hooks/answer/${token}`,
    trigger_id: randomUUID(),
    token: verifyToken,
  }
  const request = commandRequest(command.url, fields, { secret, verifyToken, now: stores.clock.now() })
  return sendOutgoing(stores, 'command', request)
}

/** Under the present key, once another one is the former. */
async function renewSecrets(
  stores: Stores,
  { name, secret_enc, verify_token_enc }: CommandRow,
  secrets: Secrets,
) {
  const secret = secrets.renewed(secret_enc, purposeOf(name, 'secret'))
  const token = secrets.renewed(verify_token_enc, purposeOf(name, 'verify_token'))
  if (secret) await replaceSealed(stores.db, name, 'secret_enc', { from: secret_enc, to: secret })
  if (token) await replaceSealed(stores.db, name, 'verify_token_enc', { from: verify_token_enc, to: token })
}

async function give(
  stores: Stores,
  command: CommandRow,
  place: Place,
  answer: OutgoingAnswer,
): Promise<CommandAnswerPayload | null> {
  // The answer may be posted already: a failure here is no failure of the command.
  const note = (error: string | null) =>
    noteUse(stores.db, command, stores.clock.now(), error).catch(err =>
      log.warn({ err, command: command.name }, 'use of a command not noted'),
    )
  try {
    const payload = payloadOf(answer)
    const ephemeral = payload && (await giveAnswers(stores, command.bot, place, answersIn(stores, payload)))
    await note(null)
    return ephemeral ? { ephemeral } : null
  } catch (err) {
    if (!(err instanceof InvalidPayload || err instanceof NoAnswer)) throw err
    const why = err instanceof NoAnswer ? err.message : 'invalid_payload'
    log.info({ command: command.name, why }, 'command not answered')
    await note(why)
    throw errors.coded(502, 'unavailable', `/${command.name} did not answer.`)
  }
}

/** Its message is `last_error` of the command. */
class NoAnswer extends Error {}

function payloadOf(answer: OutgoingAnswer) {
  if ('error' in answer) throw new NoAnswer(answer.error)
  if (answer.status < 200 || answer.status > 299) throw new NoAnswer(`status_${answer.status}`)
  return answerIn(answer.body, answer.headers['content-type'])
}
