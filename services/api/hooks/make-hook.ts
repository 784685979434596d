import { lockAccount } from '#shared/access/account-locks.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { MadeIncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { collectionsOf, noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../middleware/made-once.ts'
import { enterChannel, insertBotOfHook, ownBot, settleBot } from './bot-of-hook.ts'
import { channelForHook, checkMayMake } from './hook-channel.ts'
import { countHooks, insertHook, MOST_HOOKS } from './queries.ts'
import { hashOfHookToken, newHookToken } from './secret-texts.ts'

const MOST_OF_PERSON = 50

export interface HookDraft {
  name: string
  channel: string
  bot?: string | null | undefined
  template?: string | null | undefined
  may_choose_channel?: boolean | undefined
  may_mention_everyone?: boolean | undefined
  client_id?: string | undefined
}

/** The address of a hook, which is the only place of its token. */
export const addressOfHook = (address: string, token: string): string => `${address}/hooks/${token}`

/** Makes an incoming hook. A repetition with the same `client_id` does not get its address. */
export async function makeHook(
  stores: Stores,
  address: string,
  actor: Actor,
  draft: HookDraft,
): Promise<Made> {
  const token = newHookToken()
  let changed: Changed | undefined
  const made = await madeOnce(stores.db, actor.actor, '/hooks_in', draft.client_id, async keep => {
    const { id, ...rest } = await inTransaction(stores.pool, async tx => {
      const hook = await makeWithin(stores, tx, actor, draft, token)
      await keep(tx, { status: 201, body: { id: hook.id, url: null } satisfies MadeIncomingHookPayload })
      return hook
    })
    changed = rest
    return { status: 201, body: { id, url: addressOfHook(address, token) } satisfies MadeIncomingHookPayload }
  })
  if (changed) await announce(stores, changed)
  return made
}

/** The effects of a new hook, or of its new channel, on what people see. */
export interface Changed {
  channel: ReadableChannel
  isNewBot: boolean
  isNewMember: boolean
}

async function makeWithin(stores: Stores, tx: Db, actor: Actor, draft: HookDraft, token: string) {
  const maker = actor.actor
  // Also keeps the numbers of hooks and bots.
  await lockOwnership(tx)
  const account = await lockAccount(tx, maker)
  if (account?.state !== 'active') throw errors.signedOut()
  checkMayMake(stores, account)
  const rights = {
    mayChooseChannel: draft.may_choose_channel ?? false,
    mayMentionEveryone: draft.may_mention_everyone ?? false,
  }
  if ((rights.mayChooseChannel || rights.mayMentionEveryone) && !isAdmin(account.role)) throw onlyAdmins()
  await checkNumbers(tx, maker)
  const isNewBot = draft.bot === undefined || draft.bot === null
  const bot = isNewBot
    ? await insertBotOfHook(stores, tx, actor, draft.name)
    : await ownBot(tx, maker, draft.bot!)
  const channel = await channelForHook(stores, tx, maker, draft.channel)
  if (isNewBot) await settleBot(stores, tx, actor, bot, channel)
  const isNewMember = await enterChannel(stores, tx, maker, bot, channel)
  const { name, template = null } = draft
  const row = { ...rights, name, bot, template, maker, channel: channel.id }
  const hook = await insertHook(tx, {
    ...row,
    tokenHash: hashOfHookToken(token),
    now: stores.clock.now(),
  })
  const detail = { hook: hook.id, bot, ...rightsOf(hook) }
  await insertAuditEntry(tx, {
    ...actor,
    action: 'hook.created',
    target: name,
    channel: channel.id,
    detail,
  })
  return { id: hook.id, channel, isNewBot, isNewMember }
}

const rightsOf = (hook: { may_choose_channel: boolean; may_mention_everyone: boolean }) => ({
  ...(hook.may_choose_channel && { may_choose_channel: true }),
  ...(hook.may_mention_everyone && { may_mention_everyone: true }),
})

export const onlyAdmins = () =>
  errors.coded(403, 'forbidden', 'Only administrators let a hook choose its channel or mention everyone.')

async function checkNumbers(tx: Db, maker: Username) {
  const { own, all } = await countHooks(tx, maker)
  if (own >= MOST_OF_PERSON)
    throw errors.coded(
      409,
      'conflict',
      `You have ${MOST_OF_PERSON} hooks, the most of a person. Remove one first.`,
    )
  if (all >= MOST_HOOKS)
    throw errors.coded(
      409,
      'conflict',
      `There are ${MOST_HOOKS} hooks, the most of a workspace. Remove one first.`,
    )
}

/** The notice of a new bot, and of a new member of a private channel. */
export async function announce(stores: Stores, { channel: { id }, isNewBot, isNewMember }: Changed) {
  if (!isNewBot && !isNewMember) return
  const inChannel = { collections: collectionsOf('addMember', id), channel: id, membership: true as const }
  await publishNotice(
    stores,
    isNewBot
      ? noticeOf('signUp', { besides: isNewMember ? [inChannel] : [] })
      : noticeOf('addMember', { channel: id }),
  )
}
