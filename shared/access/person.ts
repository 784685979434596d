import type { AccountKind, AccountState, Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface Person {
  username: Username
  role: Role
  state: AccountState
  kind: AccountKind
}

/** Case-insensitive; undefined for an unknown name. */
export async function personOf(db: Db, name: string): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(
    'select username, role, state, kind from users where username_key = lower($1)',
    [name],
  )
  return rows[0]
}

/** As `personOf`, and locks the account: its role and state stay until the transaction ends. */
export async function holdPerson(tx: Db, name: string): Promise<Person | undefined> {
  const { rows } = await tx.query<Person>(
    'select username, role, state, kind from users where username_key = lower($1) for no key update',
    [name],
  )
  return rows[0]
}
