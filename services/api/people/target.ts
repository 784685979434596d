import { holdPeople, type Person } from '#shared/access/person.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import { isAdmin, mayActOn } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { notAdmin } from '../middleware/administration.ts'

export interface Held {
  actor: Person
  target: Person
}

/**
 * Locks the person whom an administrator acts on, and the administrator: both may have lost role or account since the
 * request began. Throws 404 for an unknown person, 403 without a higher role.
 */
export async function holdTarget(tx: Db, { actor: actorName }: Actor, name: Username): Promise<Held> {
  // The target may be an owner; the lock comes before those of accounts.
  await lockOwnership(tx)
  const people = await holdPeople(tx, [actorName, name])
  const actor = people.find(({ username }) => username === actorName)
  const target = people.find(({ username }) => username === name)
  if (actor?.state !== 'active' || !isAdmin(actor.role)) throw notAdmin()
  if (!target) throw noSuchPerson()
  if (!mayActOn(actor.role, target.role))
    throw errors.coded(403, 'forbidden', 'Their role is not below yours.')
  return { actor, target }
}

export const noSuchPerson = () => errors.coded(404, 'not_found', 'There is no person of that name.')
