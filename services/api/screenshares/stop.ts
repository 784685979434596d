import type { Touched } from '#shared/notices/touched.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { forgetSession } from '../signalling/forget.ts'
import { endShares } from './queries.ts'

/** A person's active shares end, in one channel or everywhere; what was buffered of them goes (interface 3.2). */
export async function stopSharesOf(
  stores: Stores,
  tx: Db,
  touched: Touched[],
  sharer: Username,
  channel?: ChannelId,
): Promise<void> {
  for (const share of await endShares(tx, sharer, { channel }, stores.clock.now())) {
    await forgetSession(tx, share.share_id)
    touched.push({ name: 'endShare', channel: share.channel, users: [sharer] })
  }
}
