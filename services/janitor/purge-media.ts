import type { Seconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A relay is for those who follow it; whoever is minutes behind begins anew. */
const KEPT: Seconds = 5 * 60

/**
 * Old chunks of the media relay (interface 4.10), and what ended calls and shares have left. The init segment stays as
 * long as its call or share: it is always answered.
 */
export async function purgeMedia({ db, clock }: Stores): Promise<number> {
  const { rowCount } = await db.query(
    `delete from media_chunks
      where ts < $1 and not is_init
         or not exists (select from calls where call_id = session_id and state in ('ringing', 'active'))
        and not exists (select from screen_shares where share_id = session_id and state = 'active')`,
    [clock.now() - KEPT],
  )
  return rowCount ?? 0
}
