import type { Seconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** An operator may still want to see that a token was issued, and whether it was used. */
const KEPT: Seconds = 24 * 3600

/** Reset tokens that have run out. Unknown, expired and used ones show the same page: nobody sees that they are gone. */
export async function purgeResetTokens({ db, clock }: Stores): Promise<number> {
  const { rowCount } = await db.query('delete from reset_tokens where expires_ts < $1', [clock.now() - KEPT])
  return rowCount ?? 0
}
