import { lockLivingCall } from '#shared/calls/call-rows.ts'
import { finishCall } from '#shared/calls/finish-call.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { stopSharesIn } from './screenshares/stop.ts'

/** Ends the call and the screen shares of a channel that was archived; none can begin there. */
export async function endCallsIn(stores: Stores, channel: ChannelId): Promise<void> {
  await stores.rowLockQueues.run(channel, () =>
    runCollectingTransaction(stores, async (tx, invalidated) => {
      const call = await lockLivingCall(tx, channel)
      if (call) await finishCall(tx, invalidated, call.call_id, 'ended', stores.clock.now())
      await stopSharesIn(stores, tx, invalidated, channel)
    }),
  )
}
