import type { Request, RequestHandler } from 'express'
import { lockAccount } from '#shared/access/account-locks.ts'
import { type Person, personOf } from '#shared/access/person.ts'
import { type Actor, isOperator } from '#shared/audit/audit-log.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { viewerOf } from './signed-in.ts'

/** Admits admins and owners; 403 `forbidden` for others. */
export const adminsOnly =
  (stores: Stores): RequestHandler =>
  async (req, _res, next) => {
    const person = await viewingPerson(stores, req)
    if (!isAdmin(person.role)) throw notAdmin()
    next()
  }

/** Admits owners; 403 `forbidden` for others. */
export const ownersOnly =
  (stores: Stores): RequestHandler =>
  async (req, _res, next) => {
    const { role } = await viewingPerson(stores, req)
    if (role !== 'owner') throw errors.coded(403, 'forbidden', 'Only owners may do this.')
    next()
  }

export const notAdmin = () => errors.coded(403, 'forbidden', 'Only administrators may do this.')

/** The operator has the rights of an owner without an account. */
export const OPERATOR: Pick<Person, 'role' | 'state'> = { role: 'owner', state: 'active' }

/** The role of an administrator, whose account stays locked; throws for others. */
export async function lockAdmin(tx: Db, actor: Actor): Promise<Role> {
  const acting = isOperator(actor) ? OPERATOR : await lockAccount(tx, actor.actor)
  if (acting?.state !== 'active' || !isAdmin(acting.role)) throw notAdmin()
  return acting.role
}

/** The viewer's account with role and state. */
export async function viewingPerson(stores: Stores, req: Request): Promise<Person> {
  const person = await personOf(stores.db, viewerOf(req))
  if (!person) throw errors.signedOut()
  return person
}

/** The viewer as actor of an audit entry. */
export const actorOf = (req: Request): Actor => ({
  actor: viewerOf(req),
  actorKind: 'person',
  address: req.ip,
})
