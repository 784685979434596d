import type { Db } from './postgres.ts'

/**
 * Hides the versions of texts that are kept so far, also when `keep_edits` is on again. Returns false if none was shown.
 */
export async function hideVersions(db: Db): Promise<boolean> {
  // Beyond the newest one, since the clock may have been set back.
  const { rowCount } = await db.query(
    `update hidden_versions
        set before_ts = greatest(extract(epoch from clock_timestamp()), newest.kept_ts + 0.000001)
       from (select max(kept_ts) as kept_ts from message_edits) newest
      where newest.kept_ts >= before_ts`,
  )
  return rowCount === 1
}
