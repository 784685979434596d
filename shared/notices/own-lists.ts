import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Raises the revision of a person's saved messages and scheduled sends, or of the drafts, and locks it until the
 * transaction ends. False for an account that is gone. Taken before other rows of these lists.
 */
export async function touchOwnLists(
  tx: Db,
  username: Username,
  list: 'rev' | 'drafts_rev',
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into own_lists as lists (username, ${list})
     select username, 1 from users where username = $1 for key share
     on conflict (username) do update set ${list} = lists.${list} + 1`,
    [username],
  )
  return rowCount === 1
}

/** Locks the revisions without raising one, for a write that may change nothing. False for an account that is gone. */
export async function lockOwnLists(tx: Db, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into own_lists as lists (username)
     select username from users where username = $1 for key share
     on conflict (username) do update set rev = lists.rev`,
    [username],
  )
  return rowCount === 1
}
