import type { Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Locks the account against deactivation and a change of role until the transaction ends. */
export async function holdActor(tx: Db, viewer: Username): Promise<Role | undefined> {
  const { rows } = await tx.query<{ role: Role }>(
    `select role from users where username = $1 and state = 'active' for share`,
    [viewer],
  )
  return rows[0]?.role
}

export interface HeldPerson {
  username: Username
  role: Role
}

/** The active accounts of these names, locked in the order of names. */
export async function holdPeople(tx: Db, names: readonly string[]): Promise<HeldPerson[]> {
  const { rows } = await tx.query<HeldPerson>(
    `select username, role
       from users
      where username_key = any($1) and state = 'active'
      order by username
        for share`,
    [names.filter(isUsername).map(name => name.toLowerCase())],
  )
  return rows
}
