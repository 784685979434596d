import type { Request, Response } from 'express'
import { uuidFrom } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { postOfProgram } from '#shared/posting/post-of-program.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { converted, isShape } from './convert.ts'
import { type AddressedHook, hookOfToken, noteRefusal, noteUse, renewSignSecret } from './queries.ts'
import { objectIn, readBytes } from './read-body.ts'
import { Refusal, refusalFor } from './refusals.ts'
import { hashOfHookToken, isHookToken, purposeOfSignSecret } from './secret-texts.ts'
import { isSigned } from './signature.ts'
import { repliedTo, targetChannel } from './target-channel.ts'

export interface Answer {
  messageId: number
  dropped: number
}

/** The hook of an address that takes posts. Unknown and disabled ones have the same answer. Counts for `anonymous`. */
export async function hookAt(stores: Stores, req: Request, token: string): Promise<AddressedHook> {
  const hook = isHookToken(token) ? await hookOfToken(stores.db, hashOfHookToken(token)) : undefined
  if (hook && !hook.disabled) return hook
  await rateLimits(stores)(['anonymous', networkOf(req.ip ?? '')])
  throw new Refusal('no_service')
}

/**
 * Posts what a sender of hooks sent (interface 19.4). Throws a `Refusal`, which the row of the hook notes, or another error
 * while a store is away.
 */
export async function receive(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  { token, shape }: { token: string; shape?: string },
): Promise<Answer> {
  const hook = await hookAt(stores, req, token)
  if (shape !== undefined && !isShape(shape)) throw new Refusal('no_service')
  await rateLimits(stores)(['hook', String(hook.id)])
  try {
    const answer = await postFor(stores, config, req, res, hook, shape)
    await noteUse(stores.db, hook.id, stores.clock.now()).catch(err =>
      // The message is stored: a repetition would be a second one.
      log.warn({ err, hook: hook.id }, 'use of a hook not noted'),
    )
    return answer
  } catch (err) {
    const refusal = refusalFor(err)
    await noteRefusal(stores.db, hook.id, refusal.code)
    throw refusal
  }
}

async function postFor(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  hook: AddressedHook,
  shape: string | undefined,
): Promise<Answer> {
  const bytes = await readBytes(req, res)
  const body = objectIn(bytes, req.get('Content-Type'))
  const { max_message_chars: most } = stores.settings.current
  const { name, emoji, content: text, ...made } = converted({ headers: req.headers, body, shape }, hook, most)
  const clientId = made.clientId === undefined ? undefined : uuidFrom(made.clientId)
  if (made.clientId !== undefined && clientId === undefined) throw new Refusal('invalid_payload')
  await checkSignature(stores, config, req, hook, bytes)
  const channel = await targetChannel(stores, hook, made.channel)
  const sent = await postOfProgram(stores, hook.bot, channel, {
    text,
    cards: made.cards,
    cardsAt: made.cardsAt,
    bot: { ...(name && { name }), ...(emoji && { emoji }), hook_id: hook.id },
    replyTo: await repliedTo(stores, channel, made.threadTs ?? made.rootId),
    clientId,
    mayMentionEveryone: hook.may_mention_everyone,
  })
  return { messageId: sent.id, dropped: made.dropped }
}

/** A secret under a former key is sealed anew. One that no key opens refuses everything. */
async function checkSignature(
  stores: Stores,
  config: Config,
  req: Request,
  { id, sign_secret_enc: sealed }: AddressedHook,
  bytes: Buffer,
) {
  if (sealed === null) return
  const secrets = secretsUnder(config)
  const secret = secrets.open(sealed, purposeOfSignSecret(id))
  if (secret === null) log.warn({ hook: id }, 'secret of a hook unreadable: it needs a new one')
  if (secret === null || !isSigned(secret, bytes, req.headers)) throw new Refusal('invalid_signature')
  const renewed = secrets.renewed(sealed, purposeOfSignSecret(id))
  if (renewed) await renewSignSecret(stores.db, id, sealed, renewed)
}
