import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Serialises transactions that make or unmake owners. Taken before the lock of any account. */
export async function lockOwnership(tx: Db): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.ownership])
}

const ACTIVE_OWNER = `role = 'owner' and state = 'active'`

export async function hasOwner(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from users where ${ACTIVE_OWNER}) as found`,
  )
  return rows[0]!.found
}

export async function longestServingOwner(db: Db): Promise<Username | undefined> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from users where ${ACTIVE_OWNER} order by created_ts, username_key limit 1`,
  )
  return rows[0]?.username
}

/** True while no person has ever had an account. */
export async function isFresh(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ fresh: boolean }>(
    `select not exists (select from users where kind = 'person')
        and not exists (select from deleted_names) as fresh`,
  )
  return rows[0]!.fresh
}

/**
 * Throws 409 `last_owner` if `leaving` is the only active owner. Called under `lockOwnership`, before an owner is
 * demoted or deactivated.
 */
export async function keepOwner(tx: Db, leaving: Username): Promise<void> {
  const { rows } = await tx.query<{ is_last: boolean }>(
    `select exists (select from users where ${ACTIVE_OWNER} and username = $1)
        and not exists (select from users where ${ACTIVE_OWNER} and username <> $1) as is_last`,
    [leaving],
  )
  if (rows[0]!.is_last) throw errors.lastOwner()
}

/**
 * Makes the longest-serving active admin an owner if no active owner is left; returns their name. Without an admin the
 * workspace has no owner. Called under `lockOwnership`, after an owner deleted their account.
 */
export async function inheritOwnership(tx: Db): Promise<Username | undefined> {
  if (await hasOwner(tx)) return undefined
  const { rows } = await tx.query<{ username: Username }>(
    `update users
        set role = 'owner'
      where username = (
              select username from users
               where role = 'admin' and state = 'active' and kind = 'person'
               order by created_ts, username_key
               limit 1
                 for no key update)
     returning username`,
  )
  return rows[0]?.username
}
