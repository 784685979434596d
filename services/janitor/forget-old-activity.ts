import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The inbox lists nothing older (shared/collections/inbox/candidates.ts). */
const KEPT: Seconds = 90 * 24 * 3600
const BATCH = 5_000

/** Deletes activity that the inbox no longer lists. */
export async function forgetOldActivity({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from activity
        where id = any(array(
              select id from activity where ts < $1 order by ts limit $2 for update skip locked))`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
