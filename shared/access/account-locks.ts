import type { Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Person } from './person.ts'

/**
 * Locks on accounts, until the transaction ends. Taken before all other rows, several in the order of names (architecture
 * 4.1).
 *
 * - `name`: the account keeps its name and is not deleted. For rows that have the name.
 * - `role`: its role and state stay as well. For acts that the role or state permits.
 * - `row`: one writer. For changes of the account, or of rows that it guards.
 *
 * Renaming and deletion take `removal`, which excludes all three.
 */
export const ACCOUNT_LOCK = {
  name: 'for key share',
  role: 'for share',
  row: 'for no key update',
  removal: 'for update',
} as const

/** Locks `name`. Returns the registered spelling of a name, also of a former one. `condition`: SQL about the account. */
export async function lockName(tx: Db, name: string, condition = 'true'): Promise<Username | undefined> {
  // A renaming that ends while the first attempt waits makes it find nobody; the second one sees the new name.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { rows } = await tx.query<{ username: Username }>(
      `select username from users where username = account_named($1) and ${condition} ${ACCOUNT_LOCK.name}`,
      [name],
    )
    if (rows[0]) return rows[0].username
  }
  return undefined
}

/** Locks `name` of the active accounts among these; returns them in the order of names. */
export async function lockNames(tx: Db, names: readonly Username[]): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `select username from users where username = any($1) and state = 'active' order by username ${ACCOUNT_LOCK.name}`,
    [names],
  )
  return rows.map(row => row.username)
}

/** Locks `role`. Undefined unless the account is active. */
export async function lockRole(tx: Db, username: Username): Promise<Role | undefined> {
  const { rows } = await tx.query<{ role: Role }>(
    `select role from users where username = $1 and state = 'active' ${ACCOUNT_LOCK.role}`,
    [username],
  )
  return rows[0]?.role
}

export type LockedPerson = Pick<Person, 'username' | 'role'>

/** Locks `role` of the active accounts among these names of a request; returns them in the order of names. */
export async function lockRoles(tx: Db, names: readonly string[]): Promise<LockedPerson[]> {
  const { rows } = await tx.query<LockedPerson>(
    `select username, role
       from users
      where username_key = any($1) and state = 'active'
      order by username
        ${ACCOUNT_LOCK.role}`,
    [names.filter(isUsername).map(name => name.toLowerCase())],
  )
  return rows
}

/** Locks `row`. The name has any case; undefined for an unknown or former one. */
export async function lockAccount(tx: Db, name: string): Promise<Person | undefined> {
  const { rows } = await tx.query<Person>(
    `select username, role, state, kind from users where username_key = lower($1) ${ACCOUNT_LOCK.row}`,
    [name],
  )
  return rows[0]
}

/** Locks `row` of the accounts of these registered names; returns them in the order of names. */
export async function lockAccounts(tx: Db, names: readonly Username[]): Promise<Person[]> {
  const { rows } = await tx.query<Person>(
    `select username, role, state, kind from users where username = any($1)
      order by username ${ACCOUNT_LOCK.row}`,
    [names],
  )
  return rows
}

/** Locks `removal`. False if the account is gone. */
export async function lockForRemoval(tx: Db, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query(`select from users where username = $1 ${ACCOUNT_LOCK.removal}`, [
    username,
  ])
  return rowCount === 1
}
