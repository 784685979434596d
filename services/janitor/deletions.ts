import type { Seconds, Username } from '#shared/rules/units.ts'
import { DELETED_SENDER } from '#shared/rules/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A row of `account_deletions`. */
export interface Deletion {
  username: Username
  kind: 'soft' | 'hard'
  claimed_ts: Seconds
}

/** A janitor that is killed leaves its deletion to the others after so long; longer than a run and a statement. */
const LEASE: Seconds = 15
/** A request that began before the deletion may still write a mention or a watermark; statements last 5 s at most. */
const LATE_WRITES: Seconds = 30

/** Takes the deletion that has waited longest, by the clock of the database. */
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

/** Puts it behind the others that wait. */
export async function postponeDeletion(db: Db, { username }: Deletion): Promise<void> {
  await db.query(
    'update account_deletions set due_ts = extract(epoch from clock_timestamp()) where username = $1',
    [username],
  )
}

/** Nothing was left: the deletion ends, or is looked at once more when no late write can come. */
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

/** The name that stands in lines and records of a deleted account. */
export const nameAfter = ({ username, kind }: Deletion) => (kind === 'hard' ? DELETED_SENDER : username)
