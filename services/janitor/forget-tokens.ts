import { LISTED_AFTER_END } from '#shared/domain/tokens.ts'
import type { Stores } from '#shared/stores/stores.ts'

const BATCH = 1_000

/** Deletes tokens that were revoked or expired long ago. */
export async function forgetTokens({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from api_tokens
        where id = any(array(
              select id
                from api_tokens
               where revoked_ts < $1 or (revoked_ts is null and expires_ts < $1)
               limit $2
                 for update skip locked))`,
      [clock.now() - LISTED_AFTER_END, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
