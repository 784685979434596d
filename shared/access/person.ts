import type { AccountKind, AccountState, Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface Person {
  username: Username
  role: Role
  state: AccountState
  kind: AccountKind
}

/** Case-insensitive, former names too; undefined for an unknown name. */
export async function personOf(db: Db, name: string): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(
    'select username, role, state, kind from users where username = account_named($1)',
    [name],
  )
  return rows[0]
}

/** The accounts of names in lower case, also of former names, by that name. */
export async function accountsNamed(db: Db, keys: readonly string[]): Promise<Map<string, Username>> {
  const { rows } = await db.query<{ key: string; username: Username }>(
    `select key, account_named(key) as username
       from unnest($1::text[]) as key
      where account_named(key) is not null`,
    [keys],
  )
  return new Map(rows.map(({ key, username }) => [key, username]))
}

/**
 * Names of a request, replaced by the current names of their accounts (interface 17.3, 3); those of nobody stay. Every
 * request that names people goes through this, or through `account_named` in its own statement.
 */
export async function currentNames(db: Db, names: readonly string[]): Promise<string[]> {
  const keys = [...new Set(names.filter(isUsername).map(name => name.toLowerCase()))]
  const accounts = keys.length === 0 ? new Map<string, Username>() : await accountsNamed(db, keys)
  return names.map(name => accounts.get(name.toLowerCase()) ?? name)
}

/** The accounts among these names that are not active: they are neither listed nor mentioned. */
export async function inactiveAmong(db: Db, names: readonly Username[]): Promise<Set<Username>> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from users where username = any($1) and state <> 'active'`,
    [names],
  )
  return new Set(rows.map(row => row.username))
}
