import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import type { Db } from '#shared/stores/postgres.ts'

/*
 * Usernames and handles of groups are names of one kind: nobody has a name that a group has. Both sides look for the
 * other under one advisory lock, taken after the locks of accounts.
 */

/** For an account that gets a name: waits for changes of groups, not for other accounts. */
export async function shareNames(tx: Db): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.names])
}

/** For changes of groups, one at a time. */
export async function lockNames(tx: Db): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.names])
}
