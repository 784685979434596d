import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Decisions, Idempotent send. */
const KEPT: Seconds = 24 * 3600
const BATCH = 1_000

/** Deletes client ids older than a day: later no client repeats a send. */
export async function forgetClientIds({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `with old as (
         select sender, client_id from client_ids where ts < $1 order by ts limit $2 for update skip locked
       )
       delete from client_ids using old
        where client_ids.sender = old.sender and client_ids.client_id = old.client_id`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
