import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The inbox lists nothing older (shared/collections/inbox/command-items.ts). */
const KEPT: Seconds = 24 * 3600
const BATCH = 5_000

export async function forgetCommandAnswers({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from command_answers
        where id = any(array(
              select id from command_answers where ts < $1 order by ts limit $2 for update skip locked))`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
