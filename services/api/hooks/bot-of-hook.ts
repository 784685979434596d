import { lockName } from '#shared/access/account-locks.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isReserved, usernameFrom, withEnding } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertAccount } from '../account/sign-up/new-account.ts'
import { checkCount } from '../bots/locked-bot.ts'
import { addToPrivate } from '../channels/private/add-member.ts'
import { archivedError } from '../channels/public/locked-channel.ts'
import { enterChannels } from '../people/enter-channels.ts'
import { ownerOfBot } from './queries.ts'

/** Not the form of a hash: no password is right. */
const NO_PASSWORD = 'none'
/** Characters of the name of the hook before `-hook`. */
const LONGEST_STEM = 27
const MOST_ATTEMPTS = 100

/** Makes the bot of a hook, owned by its maker, in a transaction under `lockOwnership`. `settleBot` completes it. */
export async function insertBotOfHook(stores: Stores, tx: Db, actor: Actor, name: string): Promise<Username> {
  await checkCount(tx, actor.actor)
  return freeName(tx, actor, name, stores.clock.now())
}

/** After the lock of the channel, as accounts come before channels. */
export async function settleBot(
  stores: Stores,
  tx: Db,
  actor: Actor,
  username: Username,
  channel: ReadableChannel,
): Promise<void> {
  const channels = channel.kind === 'public' ? [channel.id] : []
  await enterChannels(stores, tx, { username, role: 'member', channels }, stores.clock.now())
  const detail = { role: 'member', channels }
  await insertAuditEntry(tx, { ...actor, action: 'bot.created', target: username, detail })
}

async function freeName(tx: Db, { actor }: Actor, name: string, now: Seconds): Promise<Username> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const username = nameOfBot(name, attempt)
    const account = {
      username,
      displayName: name,
      passwordHash: NO_PASSWORD,
      now,
      bot: { owner: actor, description: null, isMadeWithHook: true },
    }
    if (!isReserved(username) && (await insertAccount(tx, account))) return username
  }
  throw errors.coded(409, 'conflict', 'There are too many bots of such a name: give the hook another one.')
}

/** `deploys-hook`, then `deploys-hook-2` and so on. */
export function nameOfBot(name: string, attempt: number): Username {
  const stem = usernameFrom(name).slice(0, LONGEST_STEM).replace(/-+$/, '')
  const first = stem === '' ? 'hook' : `${stem}-hook`
  return attempt === 1 ? first : withEnding(first, `-${attempt}`)
}

/** The registered name of a bot of the maker, locked; 400 for others. */
export async function ownBot(tx: Db, maker: Username, given: string): Promise<Username> {
  const username = await lockName(tx, given, `kind = 'bot' and state = 'active'`)
  if (username === undefined || (await ownerOfBot(tx, username)) !== maker)
    throw errors.invalid('bot must be an active bot of your own')
  return username
}

/** Throws 400 for a bot of others: it tells them alone what it reads. */
export async function checkOwner(tx: Db, bot: Username, owners: readonly (Username | null)[]): Promise<void> {
  const owner = await ownerOfBot(tx, bot)
  if (owner === undefined || !owners.includes(owner))
    throw errors.invalid('bot must be an active bot of your own')
}

/**
 * Lets the bot into a private channel; the caller holds its account. True if it was no member. 400 for a public channel that
 * the bot, a guest, cannot read.
 */
export async function enterChannel(
  stores: Stores,
  tx: Db,
  adder: Username,
  bot: Username,
  channel: ReadableChannel,
): Promise<boolean> {
  if (channel.kind !== 'private') {
    if (!(await findReadableChannel({ ...stores, db: tx }, bot, channel.id)))
      throw errors.invalid('bot must be able to read the channel')
    return false
  }
  const outcome = await addToPrivate(tx, { id: channel.id, privateId: channel.privateId! }, adder, bot)
  if (outcome === 'archived') throw archivedError()
  if (outcome === 'adder has left') throw errors.coded(404, 'not_found', 'There is no such channel.')
  return outcome === 'added'
}
