import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Interface 4.8. */
const KEPT: Seconds = 5 * 60

/** Deletes old signals and those of ended calls and shares. No screen shows signals, hence no notice. */
export async function purgeSignals({ db, clock }: Stores): Promise<number> {
  const { rowCount } = await db.query(
    `delete from signals
      where ts < $1
         or not exists (select from calls where call_id = session_id and state in ('ringing', 'active'))
        and not exists (select from screen_shares where share_id = session_id and state = 'active')`,
    [clock.now() - KEPT],
  )
  return rowCount ?? 0
}
