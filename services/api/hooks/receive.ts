import type { Request, Response } from 'express'
import type { HookCallPayload } from '#shared/domain/payloads/hooks.ts'
import { uuidFrom } from '#shared/domain/units.ts'
import { gathered, hasTried } from '#shared/http/gathered.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { postOfProgram } from '#shared/posting/post-of-program.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hasOwnOrigin } from '../middleware/csrf.ts'
import { readBytes } from '../middleware/read-bytes.ts'
import { noteCall } from './calls.ts'
import { converted, type HookPost, isShape, shapeFor } from './convert.ts'
import { checkRoom, countPost } from './full-addresses.ts'
import { failureOf, forgetFailure, noteFailure } from './incidents.ts'
import {
  type AddressedHook,
  hashesOfHooks,
  hookOf,
  hookOfToken,
  noteRefusal,
  noteUse,
  renewSignSecret,
} from './queries.ts'
import { objectIn } from './read-body.ts'
import { Refusal, refusalFor } from './refusals.ts'
import { hashOfHookToken, isHookToken, purposeOfSignSecret } from './secret-texts.ts'
import { isSigned } from './signature.ts'
import { repliedTo, targetChannel } from './target-channel.ts'

/** `ignored`: an event that its shape leaves out. */
export type Answer = { messageId: number; dropped: number } | { ignored: string }

/** The parameters of the address of a hook. */
export interface Address {
  token: string
  shape?: string
}

/**
 * The hook of an address that takes posts. Unknown and disabled ones have the same answer, as has an unknown shape. Counts
 * for `anonymous` before anything is read, by itself: senders behind an address take no sign-in from its people.
 */
export async function hookAt(
  stores: Stores,
  req: Request,
  { token, shape }: Address,
): Promise<AddressedHook> {
  const from = `hooks:${networkOf(req.ip ?? '')}`
  await rateLimits(stores)(['anonymous', from])
  const hook = isHookToken(token) ? await findHook(stores, hashOfHookToken(token), from) : undefined
  if (!hook || hook.disabled || (shape !== undefined && !isShape(shape))) throw new Refusal('no_service')
  return hook
}

/** `from`: the address that sends. */
async function findHook(stores: Stores, hash: Buffer, from: string): Promise<AddressedHook | undefined> {
  if (hasTried(stores, from) && !(await isAmongHooks(stores, hash))) return undefined
  return hookOfToken(stores.db, hash)
}

const isAmongHooks = gathered(({ db }, hashes) => hashesOfHooks(db, hashes))

/**
 * Posts what a sender of hooks sent (interface 19.4). Throws a `Refusal`, which the row of the hook notes, or another error
 * while a store is away.
 */
export async function receive(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  address: Address,
): Promise<Answer> {
  checkRoom(stores, address.token)
  const hook = await hookAt(stores, req, address)
  await countPost(stores, address.token, hook.id)
  const call = callOf(config, req, address)
  const noteEnd = (end: Pick<HookCallPayload, 'error' | 'ignored'>) =>
    void noteCall(stores, hook.id, { ts: stores.clock.now(), ...end, ...call })
  try {
    const answer = await postFor(stores, config, req, res, hook, call)
    noteEnd({ error: null, ...('ignored' in answer && { ignored: true }) })
    await noteUse(stores.db, hook.id, stores.clock.now()).catch(err =>
      // The message is stored: a repetition would be a second one.
      log.warn({ err, hook: hook.id }, 'use of a hook not noted'),
    )
    return answer
  } catch (err) {
    const refusal = refusalFor(err)
    noteEnd({ error: refusal.code })
    await noteRefusal(stores.db, hook.id, refusal.code)
    throw refusal
  }
}

type Call = Pick<HookCallPayload, 'shape' | 'test'>

/** Browsers send an `Origin` with every POST, programs none. */
const callOf = (config: Config, req: Request, { shape }: Address): Call => ({
  shape: shape ?? null,
  test: req.get('Origin') !== undefined && hasOwnOrigin(req, config),
})

/** Sets the shape of the call once the body is read. */
async function postFor(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  hook: AddressedHook,
  call: Call,
): Promise<Answer> {
  const bytes = await readBytes(req, res)
  const body = objectIn(bytes, req.get('Content-Type'))
  const { max_message_chars: most } = stores.settings.current
  const given = { headers: req.headers, body }
  call.shape = shapeFor({ ...given, shape: call.shape ?? undefined }, hook)
  const made = converted({ ...given, shape: call.shape ?? undefined }, hook, most)
  const clientId = 'ignored' in made ? undefined : clientIdIn(made)
  await checkSignature(stores, config, req, hook, bytes)
  return 'ignored' in made ? made : postUnderName(stores, hook, made, clientId)
}

/** Once more if the bot was renamed since the hook was read. */
async function postUnderName(
  stores: Stores,
  hook: AddressedHook,
  made: HookPost,
  clientId: string | undefined,
): Promise<Answer> {
  try {
    return await postMade(stores, hook, made, clientId)
  } catch (err) {
    const refusal = refusalFor(err)
    if (refusal.code !== 'action_prohibited') throw refusal
    const bot = (await hookOf(stores.db, hook.id))?.bot
    if (bot === undefined || bot === hook.bot) throw refusal
    return postMade(stores, { ...hook, bot }, made, clientId)
  }
}

async function postMade(
  stores: Stores,
  hook: AddressedHook,
  { content: text, cards, cardsAt, name, emoji, dropped, incident, ...made }: HookPost,
  clientId: string | undefined,
): Promise<Answer> {
  const channel = await targetChannel(stores, hook, made.channel)
  const isRecovery = incident?.state === 'recovered'
  const failure = isRecovery ? await failureOf(stores, hook.id, incident.key) : undefined
  if (isRecovery && incident.isQuietAlone && failure === undefined) return { ignored: 'recovered' }
  const sent = await postOfProgram(stores, hook.bot, channel, {
    ...{ text, cards, cardsAt, clientId },
    bot: { ...(name && { name }), ...(emoji && { emoji }), hook_id: hook.id },
    replyTo: failure ?? (await repliedTo(stores, channel, made.threadTs ?? made.rootId)),
    mayMentionEveryone: hook.may_mention_everyone,
  })
  if (isRecovery) await forgetFailure(stores, hook.id, incident.key)
  else if (incident) await noteFailure(stores, hook.id, incident.key, sent.id)
  return { messageId: sent.id, dropped }
}

function clientIdIn({ clientId }: HookPost): string | undefined {
  if (clientId === undefined) return undefined
  const id = uuidFrom(clientId)
  if (id === undefined) throw new Refusal('invalid_payload')
  return id
}

/** A secret under a former key is sealed anew. A secret that no key opens refuses everything. */
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
  if (secret === null || !isSigned(secret, bytes, req.headers, stores.clock.now()))
    throw new Refusal('invalid_signature')
  const renewed = secrets.renewed(sealed, purposeOfSignSecret(id))
  if (renewed) await renewSignSecret(stores.db, id, sealed, renewed)
}
