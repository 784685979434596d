import type { Stores } from '#shared/stores/stores.ts'

const DAY = 24 * 3600
const BATCH = 5_000

/** Deletes entries of the audit log older than `audit_retention_days`. */
export async function trimAudit({ db, clock, settings }: Stores): Promise<number> {
  const { audit_retention_days } = settings.current
  if (audit_retention_days === 0) return 0
  let trimmed = 0
  for (let count = BATCH; count === BATCH; trimmed += count) {
    const { rowCount } = await db.query(
      `delete from audit_log
        where id = any(array(
              select id from audit_log where ts < $1 order by ts limit $2 for update skip locked))`,
      [clock.now() - audit_retention_days * DAY, BATCH],
    )
    count = rowCount ?? 0
  }
  return trimmed
}
