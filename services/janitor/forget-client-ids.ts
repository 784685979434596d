import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Interface 4.3. */
const KEPT: Seconds = 24 * 3600
const BATCH = 1_000

/** Deletes client ids older than a day: later no client repeats a request. */
export async function forgetClientIds(stores: Stores): Promise<number> {
  return (await forget(stores, 'client_ids', 'sender')) + (await forget(stores, 'made_once', 'username'))
}

async function forget({ db, clock }: Stores, table: 'client_ids' | 'made_once', owner: string) {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `with old as (
         select ${owner}, client_id from ${table} where ts < $1 order by ts limit $2 for update skip locked
       )
       delete from ${table} using old
        where ${table}.${owner} = old.${owner} and ${table}.client_id = old.client_id`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
