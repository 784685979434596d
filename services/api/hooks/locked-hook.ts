import { lockAccounts } from '#shared/access/account-locks.ts'
import type { Person } from '#shared/access/person.ts'
import { personOf } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { idFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type HookRow, hookOf, lockHook } from './queries.ts'

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

/** The same in a transaction, which locks who acts, the bot and the hook, in this order. */
export async function lockedHook(
  stores: Stores,
  tx: Db,
  { actor }: Actor,
  idText: string,
): Promise<LockedHook> {
  const found = await existing(tx, idText, hookOf)
  const people = await lockAccounts(tx, [actor, found.bot])
  const acting = people.find(({ username }) => username === actor)
  const hook = await existing(tx, idText, lockHook)
  // Renamed since the hook was read: the repeated request finds it.
  if (hook.bot !== found.bot) throw errors.unavailable()
  await checkMayChange({ ...stores, db: tx }, acting, hook)
  return { actor: acting!, hook }
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

const noSuchHook = () => errors.coded(404, 'not_found', 'There is no such hook.')
