import { lockRoles } from '#shared/access/account-locks.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { USERNAME_RULES, unmetUsernameRules } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { lockAllGroups } from '#shared/stores/lock-groups.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { lockNames } from '../../account/sign-up/names.ts'
import { notAdmin } from '../../middleware/administration.ts'
import { countMembers, type Group, groupOf, isHandleFree } from './queries.ts'

const MOST_MEMBERS = 500

export interface LockedActor {
  role: Role
  isAdmin: boolean
  /** The active accounts of the names. */
  people: Username[]
}

/**
 * Locks the acting person and the people whom they name, then all groups: changes are rare, and one at a time keeps the
 * bounds. Accounts come first, because deleting one changes its groups.
 */
export async function lockGroups(
  tx: Db,
  actor: Username,
  names: readonly string[] = [],
): Promise<LockedActor> {
  const locked = await lockRoles(tx, [actor, ...names])
  const own = locked.find(({ username }) => username === actor)
  if (!own) throw errors.signedOut()
  if (own.role === 'guest') throw noGuests()
  await lockNames(tx)
  await lockAllGroups(tx)
  const keys = new Set(names.map(name => name.toLowerCase()))
  const people = locked.map(({ username }) => username).filter(name => keys.has(name.toLowerCase()))
  if (people.length < keys.size) throw errors.invalid('members must be names of active people')
  return { role: own.role, isAdmin: isAdmin(own.role), people }
}

export const noGuests = () => errors.coded(403, 'forbidden', 'Guests do not see groups.')

export function checkAdmin({ isAdmin }: LockedActor): void {
  if (!isAdmin) throw notAdmin()
}

/** 404 for an unknown handle. */
export async function lockedGroup(tx: Db, handle: string): Promise<Group> {
  const group = await groupOf(tx, handle)
  if (!group) throw errors.coded(404, 'not_found', 'There is no group of that handle.')
  return group
}

/** Handles have the form of usernames, and share their names. */
export async function checkHandle(tx: Db, handle: string, own: number | null): Promise<void> {
  const [unmet] = unmetUsernameRules(handle)
  if (unmet) throw errors.invalid(HANDLE_RULES[unmet])
  if (!(await isHandleFree(tx, handle, own))) throw errors.coded(409, 'conflict', USERNAME_RULES.taken)
}

const HANDLE_RULES = {
  ...USERNAME_RULES,
  pattern: 'handle must be 1 to 32 letters, digits, hyphens or underscores',
} as const

export async function checkSize(tx: Db, group: number): Promise<void> {
  if ((await countMembers(tx, group)) > MOST_MEMBERS)
    throw errors.invalid(`a group has at most ${MOST_MEMBERS} members`)
}
