import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Lets an operator still see that a token was issued, and whether it was used. */
const KEPT: Seconds = 24 * 3600

/** Deletes expired reset tokens. Users see no difference: unknown, expired and used tokens show the same page. */
export async function purgeResetTokens({ db, clock }: Stores): Promise<number> {
  const { rowCount } = await db.query('delete from reset_tokens where expires_ts < $1', [clock.now() - KEPT])
  return rowCount ?? 0
}
