import { lockAccount, lockName } from '#shared/access/account-locks.ts'
import { lockNamed } from '#shared/access/lock-channels.ts'
import { type Person, personOf } from '#shared/access/person.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type HookRow, hookOf } from './queries.ts'

/** A hook of the viewer, or of anybody for administrators; 404 for others. */
export async function ownHook({ db }: Stores, viewer: Username, id: number | undefined): Promise<HookRow> {
  const person = await personOf(db, viewer)
  return allowed(person, id === undefined ? undefined : await hookOf(db, id))
}

/** The same in a transaction, which locks who acts, the bot and channels of the change, and the hook, in this order. */
export async function lockedHook(
  tx: Db,
  { actor }: Actor,
  id: number | undefined,
  { bot, channels }: { bot?: string; channels?: readonly string[] | null } = {},
): Promise<{ person: Person; hook: HookRow }> {
  const person = await lockAccount(tx, actor)
  if (bot !== undefined) await lockName(tx, bot)
  if (channels) await lockNamed(tx, channels)
  const hook = allowed(person, id === undefined ? undefined : await hookOf(tx, id, true))
  return { person: person!, hook }
}

function allowed(person: Person | undefined, hook: HookRow | undefined): HookRow {
  if (person?.state !== 'active') throw errors.signedOut()
  const { username, role, kind } = person
  const isTheirs = kind === 'person' && role !== 'guest' && (isAdmin(role) || hook?.created_by === username)
  if (!hook || !isTheirs) throw noSuchHook()
  return hook
}

export const noSuchHook = () => errors.coded(404, 'not_found', 'There is no such hook.')
