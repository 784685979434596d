import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The relay serves live viewers; a viewer who is minutes behind restarts from the init segment. */
const KEPT: Seconds = 5 * 60

/**
 * Deletes old chunks of the media relay (interface 4.10), and all chunks of ended calls and shares. The init segment
 * stays as long as its call or share: clients may fetch it at any time.
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
