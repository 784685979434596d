import pLimit from 'p-limit'
import type { Config } from '#shared/kernel/config.ts'
import { log } from '#shared/kernel/log.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { unchanged } from '#shared/notices/write.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import { type Db, isDeadlock } from '#shared/stores/postgres.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { leaveCallsOf } from '../calls/leave-calls-of.ts'
import { endMembership } from '../private-channels/leave.ts'
import {
  deleteAccountRow,
  forgetPerson,
  holdCallsOf,
  holdChannels,
  holdMemberships,
  keepNameTaken,
  type MessageRef,
  messagesBy,
  reactionsBy,
  rehideDms,
  removeMessages,
  renameMessages,
  takeReactionsBack,
} from './deletion-queries.ts'
import { verifyPassword } from './password-hash.ts'
import { accountOf } from './queries.ts'
import { writeEndingSessions } from './sessions.ts'

/** `soft` leaves what the person has said, under another name; `hard` takes it away (interface 4.1). */
export type Deletion = 'soft' | 'hard'

/** Of a statement's work, so that none takes seconds. */
const BATCH = 1_000
/** Somebody else's transaction wanted the same two rows in another order; next time we come later. */
const ATTEMPTS = 3
const FILES_AT_ONCE = 8

/** What is left to do when the account is gone. */
interface Remains {
  files: string[]
  /** Where its owner may have been typing. */
  channels: ChannelId[]
}

/** One transaction; the files go after it, because they cannot come back. */
export async function deleteAccount(
  stores: Stores,
  config: Pick<Config, 'passwordIterations'>,
  username: Username,
  deletion: Deletion,
  password: string,
): Promise<void> {
  const passwordHash = await verifiedHash(stores, config, username, password)
  const remains = await withoutDeadlock(() =>
    writeEndingSessions<Remains | typeof unchanged>(stores, 'deleteAccount', username, tx =>
      erase(stores, tx, username, passwordHash, deletion),
    ),
  )
  // Deleted, or given another password, a moment ago from elsewhere: this session is over as well.
  if (remains === unchanged) throw refuse.signedOut()
  log.info({ username, deletion }, 'account deleted')
  await forgetTyping(stores, username, remains.channels)
  await removeFiles(stores, remains.files)
}

async function verifiedHash(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  username: Username,
  password: string,
): Promise<string> {
  const account = await accountOf(stores.db, username)
  if (!account) throw refuse.signedOut()
  const verdict = await verifyPassword(password, account.password_hash, passwordIterations)
  if (verdict === 'wrong') throw refuse.wrongPassword(403)
  return account.password_hash
}

/**
 * Everything of a person, within a transaction. Locks are taken in the order of everybody else: the account (whatever
 * they send, react or are added to waits for it, and then finds nobody), memberships, calls, channels by name; then
 * messages.
 */
async function erase(
  stores: Stores,
  tx: Db,
  username: Username,
  passwordHash: string,
  deletion: Deletion,
): Promise<Remains | typeof unchanged> {
  const account = await deleteAccountRow(tx, username, passwordHash)
  if (!account) return unchanged
  await keepNameTaken(tx, username, stores.clock.now())

  const memberships = await holdMemberships(tx, username)
  const calls = await holdCallsOf(tx, username)
  const messages = await messagesBy(tx, username)
  const reactions = await reactionsBy(tx, username)
  const changing = deletion === 'hard' ? [...reactions, ...messages] : reactions
  await holdChannels(tx, [...memberships, ...calls, ...channelsOf(changing)])

  for (const id of memberships) {
    await endMembership(stores, tx, username, { id, privateId: Number(id.slice('private:'.length)) })
  }
  await leaveCallsOf(stores, tx, username)
  for (const batch of batchesOf(reactions)) await takeReactionsBack(tx, username, batch)
  const files = deletion === 'hard' ? await remove(tx, messages) : await rename(tx, messages)
  const dms = await forgetPerson(tx, username)
  return {
    files: account.avatar_file === null ? files : [...files, account.avatar_file],
    channels: [...stores.settings.current.channels, ...memberships, ...dms],
  }
}

async function remove(tx: Db, messages: MessageRef[]): Promise<string[]> {
  const files: string[] = []
  for (const batch of batchesOf(messages)) files.push(...(await removeMessages(tx, batch)))
  await rehideDms(tx, [...channelsOf(messages)])
  return files
}

async function rename(tx: Db, messages: MessageRef[]): Promise<string[]> {
  for (const batch of batchesOf(messages)) await renameMessages(tx, batch)
  return []
}

const channelsOf = (messages: MessageRef[]) => new Set(messages.map(message => message.channel))

function* batchesOf(messages: MessageRef[]): Generator<number[]> {
  for (let i = 0; i < messages.length; i += BATCH) {
    yield messages.slice(i, i + BATCH).map(message => message.id)
  }
}

async function withoutDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (attempt === ATTEMPTS || !isDeadlock(err)) throw err
    }
  }
}

/** Goes stale by itself, should Redis be away. */
async function forgetTyping({ redis, keys }: Stores, username: Username, channels: ChannelId[]) {
  const commands = redis.pipeline().del(keys.tabsOf(username))
  for (const channel of channels) commands.zrem(keys.typing(channel), username)
  try {
    await commands.exec()
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
}

/** The account is gone whatever happens here; the janitor sweeps what stays. */
async function removeFiles({ files }: Stores, names: string[]) {
  const limit = pLimit(FILES_AT_ONCE)
  const outcomes = await Promise.allSettled(names.map(name => limit(() => files.remove(name))))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) log.warn({ err: failed.reason }, 'files of a deleted account not removed')
}
