import type { Seconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Decisions, Idempotent send. */
const KEPT: Seconds = 24 * 3600
const BATCH = 1_000

/**
 * A send is repeated within a day or not at all. Rows that somebody is changing are left for the next time: who changes
 * several takes them in an order of their own, and must not wait for us.
 */
export async function forgetClientIds({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `with old as (
         select id
           from messages
          where client_id is not null and ts < $1
          order by ts
          limit $2
            for update skip locked
       )
       update messages set client_id = null from old where messages.id = old.id`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
