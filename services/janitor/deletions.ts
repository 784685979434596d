import type { Seconds, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A row of `account_deletions`. */
export interface Deletion {
  username: Username
  kind: 'soft' | 'hard'
  claimed_ts: Seconds
}

/** Other janitors take over the deletion of a killed one after this time; longer than a run plus a statement. */
const LEASE: Seconds = 15
/** Requests that began before the deletion may still write mentions or watermarks; statements last 5 s at most. */
const LATE_WRITES: Seconds = 30

/** Claims the deletion that has waited longest, by the database clock. */
export async function claimDeletion(db: Db): Promise<Deletion | undefined> {
  const { rows } = await db.query<Deletion>(
    `update account_deletions
        set due_ts = extract(epoch from clock_timestamp()) + $1
      where username = (select username
                          from account_deletions
                         where due_ts <= extract(epoch from clock_timestamp())
                         order by due_ts
                         limit 1
                           for update skip locked)
     returning username, kind, due_ts - $1 as claimed_ts`,
    [LEASE],
  )
  return rows[0]
}

/** Moves the deletion to the end of the queue. */
export async function postponeDeletion(db: Db, { username }: Deletion): Promise<void> {
  await db.query(
    'update account_deletions set due_ts = extract(epoch from clock_timestamp()) where username = $1',
    [username],
  )
}

/** Ends a deletion without remaining rows, or schedules a last check for when late writes are no longer possible. */
export async function settleDeletion(db: Db, { username, claimed_ts }: Deletion): Promise<void> {
  const { rowCount } = await db.query(
    'delete from account_deletions where username = $1 and deleted_ts + $2 <= $3::double precision',
    [username, LATE_WRITES, claimed_ts],
  )
  if (rowCount === 1) return
  await db.query(
    'update account_deletions set due_ts = deleted_ts + $2, lines_after = greatest(0, lines_after - 10000) where username = $1',
    [username, LATE_WRITES],
  )
}

/** The name shown in lines and records of a deleted account. */
export const nameAfter = ({ username, kind }: Deletion) => (kind === 'hard' ? DELETED_SENDER : username)
