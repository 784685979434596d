import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { lockAccount } from '#shared/access/account-locks.ts'
import { lockNamed } from '#shared/access/lock-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { EVENTS_FOR_ADMINS } from '#shared/domain/outgoing-hooks.ts'
import { isLocal } from '#shared/domain/own-network.ts'
import type { MadeOutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import { hasRight, isAdmin, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { allowListOf } from '#shared/runtime/allow-list.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isPublicAddress } from '#shared/runtime/public-address.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertBotOfHook, ownBot } from '../hooks/bot-of-hook.ts'
import { newSignSecret } from '../hooks/secret-texts.ts'
import { type Made, madeOnce } from '../middleware/made-once.ts'
import { enterChannels } from '../people/enter-channels.ts'
import { countHooks, insertHook, MOST_HOOKS, nextId } from './queries.ts'

const MOST_OF_PERSON = 50
const MOST_CHANNEL_BYTES = 2_048

export interface HookDraft {
  name: string
  url: string
  format: 'standard' | 'slack'
  bot: string | null
  events: readonly string[]
  channels: readonly string[] | null
  triggers: readonly string[] | null
  includeBots: boolean
  clientId: string | undefined
}

/** Makes a hook and its secrets, which are shown once. */
export async function makeHook(
  stores: Stores,
  config: Config,
  actor: Actor,
  draft: HookDraft,
): Promise<Made> {
  const secret = newSignSecret()
  const verifyToken = randomBytes(16).toString('hex')
  const warned = warningOf(draft.url, stores.settings.current.hooks_allow)
  let isMade = false
  const made = await madeOnce(stores.db, actor.actor, '/hooks_out', draft.clientId, async keep => {
    const id = await inTransaction(stores.pool, async tx => {
      const hook = await makeWithin(stores, config, tx, actor, draft, { secret, verifyToken })
      const kept: MadeOutgoingHookPayload = { id: hook, secret: null, verify_token: null, ...warned }
      await keep(tx, { status: 201, body: kept })
      return hook
    })
    isMade = true
    const body: MadeOutgoingHookPayload = { id, secret, verify_token: verifyToken, ...warned }
    return { status: 201, body }
  })
  if (isMade && draft.bot === null) await publishNotice(stores, noticeOf('signUp', {}))
  return made
}

async function makeWithin(
  stores: Stores,
  config: Config,
  tx: Db,
  actor: Actor,
  draft: HookDraft,
  { secret, verifyToken }: { secret: string; verifyToken: string },
): Promise<number> {
  const maker = actor.actor
  // Also keeps the numbers of hooks and bots.
  await lockOwnership(tx)
  const account = await lockAccount(tx, maker)
  if (account?.state !== 'active') throw errors.signedOut()
  if (account.kind === 'bot' || !hasRight(account.role, 'make_hooks', stores.settings.current))
    throw errors.coded(403, 'forbidden', 'You may not make hooks here.')
  checkEvents(account.role, draft)
  await checkNumbers(tx, maker)
  const bot =
    draft.bot === null ? await newBot(stores, tx, actor, draft.name) : await ownBot(tx, maker, draft.bot)
  const channels = draft.channels && (await channelsOf({ ...stores, db: tx }, bot, draft.channels))
  const id = await nextId(tx)
  const secrets = secretsUnder(config)
  await insertHook(tx, {
    id,
    name: draft.name,
    url: draft.url,
    format: draft.format,
    bot,
    events: [...draft.events],
    channels,
    triggers: draft.triggers && [...draft.triggers],
    include_bots: draft.includeBots,
    created_by: maker,
    created_ts: stores.clock.now(),
    secret_enc: secrets.seal(secret, purposeOf(id, 'secret')),
    verify_token_enc: secrets.seal(verifyToken, purposeOf(id, 'verify_token')),
  })
  const detail = { hook: id, bot, events: draft.events, host: new URL(draft.url).host }
  await insertAuditEntry(tx, { ...actor, action: 'hook_out.created', target: draft.name, detail })
  return id
}

/** Binds a sealed value to its row and column. */
export const purposeOf = (id: number, column: 'secret' | 'old_secret' | 'verify_token') =>
  `hooks_out:${id}:${column}`

async function newBot(stores: Stores, tx: Db, actor: Actor, name: string): Promise<Username> {
  const username = await insertBotOfHook(stores, tx, actor, name)
  const role = 'member'
  await enterChannels(stores, tx, { username, role, channels: [] }, stores.clock.now())
  const detail = { role, channels: [] }
  await insertAuditEntry(tx, { ...actor, action: 'bot.created', target: username, detail })
  return username
}

/** `role`: of who acts. */
export function checkEvents(
  role: Role,
  { format, events }: { format: 'standard' | 'slack'; events: readonly string[] },
) {
  if (format === 'slack' && (events.length !== 1 || events[0] !== 'message.created'))
    throw errors.invalid('events of the format slack must be message.created alone')
  if (!isAdmin(role) && events.some(event => EVENTS_FOR_ADMINS.includes(event)))
    throw errors.coded(403, 'forbidden', 'Only administrators hear of people and of the audit log.')
}

/** In canonical form. Channels that the bot does not read look like unknown ones. */
export async function channelsOf(
  stores: Stores,
  bot: Username,
  texts: readonly string[],
): Promise<ChannelId[]> {
  await lockNamed(stores.db, texts)
  const ids = new Set<ChannelId>()
  for (const text of texts) {
    const channel = await findReadableChannel(stores, bot, text)
    if (!channel) throw errors.invalid('channels must be channels that the bot can read')
    ids.add(channel.id)
  }
  if (Buffer.byteLength([...ids].join()) > MOST_CHANNEL_BYTES)
    throw errors.invalid(`channels has ids of at most ${MOST_CHANNEL_BYTES} bytes together`)
  return [...ids]
}

async function checkNumbers(tx: Db, maker: Username) {
  const { own, all } = await countHooks(tx, maker)
  if (own >= MOST_OF_PERSON)
    throw tooMany(`You have ${MOST_OF_PERSON} outgoing hooks, the most of a person. Remove one first.`)
  if (all >= MOST_HOOKS)
    throw tooMany(`There are ${MOST_HOOKS} outgoing hooks, the most of a workspace. Remove one first.`)
}

const tooMany = (sentence: string) => errors.coded(409, 'conflict', sentence)

/** By its text alone: the worker looks up names, at every connection. */
export function warningOf(url: string, allowed: readonly string[]): { warning?: string } {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) ? isPublicAddress(host) : !isLocal(host)) return {}
  const list = allowListOf(allowed)
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  if (list.hasHost(host, number) || list.hasAddress(host, number)) return {}
  return { warning: 'This address is not public: without an entry in hooks_allow nothing is sent there.' }
}
