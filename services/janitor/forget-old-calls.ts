import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Ended calls are on no screen, but their state can be read; the line in the channel stays. */
const KEPT: Seconds = 30 * 24 * 3600
const BATCH = 500

/** Deletes calls, with their participants, and shares that ended long ago. */
export async function forgetOldCalls({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (const [table, id] of [
    ['calls', 'call_id'],
    ['screen_shares', 'share_id'],
  ] as const) {
    for (let count = BATCH; count === BATCH; forgotten += count) {
      const { rowCount } = await db.query(
        `delete from ${table}
          where ${id} = any(array(
                select ${id} from ${table} where ended_ts < $1 order by ended_ts limit $2 for update skip locked))`,
        [clock.now() - KEPT, BATCH],
      )
      count = rowCount ?? 0
    }
  }
  return forgotten
}
