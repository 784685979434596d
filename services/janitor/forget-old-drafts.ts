import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A request to change a message that was sent is told so for this long. */
const SENT_KEPT: Seconds = 2 * 24 * 3600
/** Failures are listed for 30 days; removed drafts win against devices that were away for as long. */
const KEPT: Seconds = 30 * 24 * 3600
const BATCH = 1_000

/** Deletes scheduled sends that ended, and removed drafts. */
export async function forgetOldDrafts(stores: Stores): Promise<number> {
  const now = stores.clock.now()
  return (
    (await forget(stores, 'scheduled', `state = 'sent' and ended_ts < $1`, now - SENT_KEPT)) +
    (await forget(stores, 'scheduled', `state = 'failed' and ended_ts < $1`, now - KEPT)) +
    (await forget(stores, 'drafts', `text = '' and updated_ts < $1`, now - KEPT))
  )
}

async function forget({ db }: Stores, table: 'scheduled' | 'drafts', condition: string, before: Seconds) {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from ${table}
        where ctid = any(array(select ctid from ${table} where ${condition} limit $2 for update skip locked))`,
      [before, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
