import type { Db } from './postgres.ts'

/**
 * Held by who writes a backup or loads one for a drill, and by the janitor that does both: arbitrary, but unique among the
 * advisory locks.
 */
export const BACKUP_LOCKS = { backup: 2_607_041_981, round: 2_607_041_982 }

/** True while a janitor makes or proves a backup of this database; a killed one holds the lock no more. */
export async function isBackupBeingMade(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ runs: boolean }>(
    `select exists (
       select from pg_locks
        where locktype = 'advisory' and granted
          and classid = 0 and objid = $1::bigint::oid and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
     ) as runs`,
    [BACKUP_LOCKS.round],
  )
  return rows[0]!.runs
}
