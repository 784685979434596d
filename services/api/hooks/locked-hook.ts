import { lockAccounts } from '#shared/access/account-locks.ts'
import type { Person } from '#shared/access/person.ts'
import { personOf } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { idFrom, type Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lockAgainstDeletion } from './hook-channel.ts'
import { type HookRow, hookOf, lockHook } from './queries.ts'

/** Names of a bot that is renamed while somebody changes its hook. */
const MOST_ATTEMPTS = 3

/**
 * A hook that the viewer may change: its maker, the managers of its channel and administrators. 403 for others who read the
 * channel, 404 for everybody else.
 */
export async function hookForChange(stores: Stores, viewer: string, idText: string): Promise<HookRow> {
  const hook = await existing(stores.db, idText, hookOf)
  await checkMayChange(stores, await personOf(stores.db, viewer), hook)
  return hook
}

export interface LockedHook {
  actor: Person
  hook: HookRow
}

/** The same in a transaction, which locks who acts and the bot, the channel to move `to`, and the hook, in this order. */
export async function lockedHook(
  stores: Stores,
  tx: Db,
  { actor }: Actor,
  idText: string,
  to?: string,
): Promise<LockedHook> {
  const acting = await lockedActor(tx, actor, idText)
  if (to !== undefined) await lockAgainstDeletion(tx, actor, to)
  const hook = await existing(tx, idText, lockHook)
  await checkMayChange({ ...stores, db: tx }, acting, hook)
  return { actor: acting!, hook }
}

async function lockedActor(tx: Db, actor: Username, idText: string): Promise<Person | undefined> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const { bot } = await existing(tx, idText, hookOf)
    const people = await lockAccounts(tx, [actor, bot])
    // Not there: the bot was renamed since the hook was read.
    if (people.some(({ username }) => username === bot))
      return people.find(({ username }) => username === actor)
  }
  throw errors.unavailable()
}

async function existing(
  db: Db,
  idText: string,
  read: (db: Db, id: number) => Promise<HookRow | undefined>,
): Promise<HookRow> {
  const id = idFrom(idText)
  const hook = id === undefined ? undefined : await read(db, id)
  if (!hook) throw noSuchHook()
  return hook
}

async function checkMayChange(stores: Stores, person: Person | undefined, hook: HookRow) {
  if (person?.state !== 'active') throw errors.signedOut()
  const { username, role, kind } = person
  if (kind === 'person' && (isAdmin(role) || (hook.created_by === username && role !== 'guest'))) return
  const channel = await findReadableChannel(stores, username, hook.channel, { withManaging: true })
  if (!channel) throw noSuchHook()
  if (kind === 'bot' || role === 'guest' || !channel.manages)
    throw errors.coded(
      403,
      'forbidden',
      'Only the maker of the hook, managers and administrators may do this.',
    )
}

/**
 * Throws 403 for a manager of the channel who is neither the maker nor an administrator, unless the hook is a usual one: its
 * address, text and channel tell how the rights are used that administrators gave it.
 */
export function checkMayUseRights({ actor, hook }: LockedHook): void {
  const hasRight = hook.may_choose_channel || hook.may_mention_everyone
  if (hasRight && hook.created_by !== actor.username && !isAdmin(actor.role))
    throw errors.coded(
      403,
      'forbidden',
      'Only its maker and administrators change a hook that chooses its channel or mentions everyone.',
    )
}

const noSuchHook = () => errors.coded(404, 'not_found', 'There is no such hook.')
