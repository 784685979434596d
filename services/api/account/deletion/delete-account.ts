import { publicChannels } from '#shared/access/public-channels.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { unchanged } from '#shared/notices/write.ts'
import { inheritOwnership, lockOwnership } from '#shared/ownership/ownership.ts'
import { passBots, passHooks } from '#shared/ownership/pass-bots.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { isDeadlock } from '#shared/stores/postgres-errors.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { leaveAllCallsOf } from '../../calls/leave-calls-of.ts'
import { BEING_RENAMED } from '../../pages/strings.ts'
import { verifyPassword } from '../password/password-hash.ts'
import { type Account, accountOf } from '../queries.ts'
import { runTransactionEndingSessions } from '../sessions/sessions.ts'
import {
  deleteAccountRow,
  deleteMemberships,
  isBeingRenamed,
  keepNameTaken,
  lockMemberships,
  rehideDms,
  startDeletion,
} from './deletion-queries.ts'

/** `soft` keeps the messages under another name; `hard` removes them (interface 4.1). */
export type Deletion = 'soft' | 'hard'

/** Attempts: PostgreSQL may abort the transaction to resolve a deadlock. */
const ATTEMPTS = 3

/** Work left after the commit. */
interface Remains {
  avatar: string | null
  memberships: ChannelId[]
}

/**
 * Deletes the account in one short transaction that locks no channel. From then on reads show its messages in their
 * final state (shared/access/deleted-accounts.ts). The janitor then rewrites the rows in small transactions, and
 * completes the work that a crash of this process leaves undone (services/janitor/finish-deletions.ts).
 */
export async function deleteAccount(
  stores: Stores,
  config: Pick<Config, 'passwordIterations'>,
  self: Actor,
  deletion: Deletion,
  password: string,
): Promise<void> {
  const username = self.actor
  const account = await verifiedAccount(stores, config, username, password)
  const isDeleted = await runDeletion(stores, username, deletion, async tx => {
    const remains = await erase(stores, tx, self, account, deletion)
    const detail = { type: deletion }
    if (remains !== unchanged)
      await insertAuditEntry(tx, { ...self, action: 'person.deleted', target: username, detail })
    return remains
  })
  // Deleted concurrently, or its password was changed: this session has ended too.
  if (!isDeleted) throw errors.signedOut()
}

/**
 * Deletes the account of somebody else. `act` checks the right to do so and writes the log; it locks accounts before
 * this does. False if there is no such account.
 */
export function deleteAccountOf(
  stores: Stores,
  actor: Actor,
  username: Username,
  deletion: Deletion,
  act: (tx: Db) => Promise<void>,
): Promise<boolean> {
  return runDeletion(stores, username, deletion, async tx => {
    await act(tx)
    const account = await accountOf(tx, username)
    return account ? erase(stores, tx, actor, account, deletion) : unchanged
  })
}

async function runDeletion(
  stores: Stores,
  username: Username,
  deletion: Deletion,
  work: (tx: Db) => Promise<Remains | typeof unchanged>,
): Promise<boolean> {
  const remains = await withoutDeadlock(() =>
    runTransactionEndingSessions<Remains | typeof unchanged>(stores, 'deleteAccount', username, work),
  )
  if (remains === unchanged) return false
  log.info({ username, deletion }, 'account deleted')
  const parts = await Promise.allSettled([
    leaveAllCallsOf(stores, username),
    deletion === 'hard' && rehideDms(stores.db, username),
    forgetTyping(stores, username, remains.memberships),
    remains.avatar !== null && stores.files.remove(remains.avatar),
  ])
  for (const part of parts) {
    if (part.status === 'rejected') log.warn({ err: part.reason }, 'left to the janitor by a deletion')
  }
  return true
}

async function verifiedAccount(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  username: Username,
  password: string,
): Promise<Account> {
  const account = await accountOf(stores.db, username)
  if (!account) throw errors.signedOut()
  const verdict = await verifyPassword(password, account.password_hash, passwordIterations)
  if (verdict === 'wrong') throw errors.wrongPassword(403)
  return account
}

/** Locks the account before its memberships, like every other transaction. */
async function erase(
  stores: Stores,
  tx: Db,
  actor: Actor,
  { username, password_hash }: Account,
  deletion: Deletion,
): Promise<Remains | typeof unchanged> {
  // Their bots pass to an owner, who must stay one until the end.
  await lockOwnership(tx)
  if (await isBeingRenamed(tx, username)) throw beingRenamed()
  const account = await deleteAccountRow(tx, username, password_hash)
  if (!account) return unchanged
  if (account.role === 'owner') await passOwnership(tx, username)
  const heir = await passBots(tx, actor, username)
  await keepNameTaken(tx, username, stores.clock.now())
  const channelIds = await lockMemberships(tx, username)
  await deleteMemberships(tx, username)
  await passHooks(tx, actor, username, heir)
  await startDeletion(tx, username, deletion, channelIds)
  return { avatar: account.avatar_file, memberships: channelIds.map((id): ChannelId => `private:${id}`) }
}

const beingRenamed = () => errors.coded(409, 'conflict', BEING_RENAMED)

/** The last owner may go, unlike on other ways: an admin follows. */
async function passOwnership(tx: Db, leaving: Username) {
  const heir = await inheritOwnership(tx)
  if (heir === undefined) return
  await insertAuditEntry(tx, { actor: leaving, actorKind: 'person', action: 'owner.inherited', target: heir })
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

/** If Redis is unavailable, the entries expire on their own. */
async function forgetTyping(stores: Stores, username: Username, memberships: ChannelId[]) {
  const { redis, keys } = stores
  const open = (await publicChannels(stores)).map(({ channel }) => channel)
  const commands = redis.pipeline().del(keys.tabsOf(username))
  for (const channel of [...open, ...memberships]) commands.zrem(keys.typing(channel), username)
  try {
    await commands.exec()
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
}
