import { lockAccounts } from '#shared/access/account-locks.ts'
import type { Person } from '#shared/access/person.ts'
import { type Actor, isOperator } from '#shared/audit/audit-log.ts'
import { isAdmin, mayActOn } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { botsOf } from '#shared/ownership/pass-bots.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { notAdmin, OPERATOR } from '../middleware/administration.ts'

export interface LockedTarget {
  actor: Pick<Person, 'role'>
  target: Person
}

/** Locks an account that somebody acts on, and checks their right to. */
export type LockTarget = (tx: Db, actor: Actor, name: Username) => Promise<Pick<LockedTarget, 'target'>>

/**
 * Locks the person whom an administrator acts on, and the administrator: both may have lost role or account since the
 * request began. Throws 404 for an unknown person, 403 without a higher role.
 */
export async function lockTarget(tx: Db, actor: Actor, name: Username): Promise<LockedTarget> {
  // The target may be an owner; the lock comes before those of accounts.
  await lockOwnership(tx)
  // Their bots may pass to somebody else: accounts are locked in the order of names.
  const names = [name, ...(await botsOf(tx, name))]
  const people = await lockAccounts(tx, isOperator(actor) ? names : [actor.actor, ...names])
  const acting = isOperator(actor) ? OPERATOR : people.find(({ username }) => username === actor.actor)
  const target = people.find(({ username }) => username === name)
  if (acting?.state !== 'active' || !isAdmin(acting.role)) throw notAdmin()
  if (!target) throw noSuchPerson()
  if (!mayActOn(acting.role, target.role))
    throw errors.coded(403, 'forbidden', 'Their role is not below yours.')
  return { actor: acting, target }
}

export const noSuchPerson = () => errors.coded(404, 'not_found', 'There is no person of that name.')
