import { finishCall } from '#shared/calls/finish-call.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Ends calls in archived channels, which a request that ended between its two transactions has left. */
export async function endArchivedCalls(stores: Stores): Promise<number> {
  let ended = 0
  for (const callId of await callsInArchives(stores.db)) {
    const isOurs = await runCollectingTransaction(stores, (tx, invalidated) =>
      finishCall(tx, invalidated, callId, 'ended', stores.clock.now()),
    )
    if (isOurs) ended++
  }
  return ended
}

async function callsInArchives(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id
       from calls
       join channel_properties properties on properties.channel = calls.channel
      where calls.state in ('ringing', 'active') and properties.archived_ts is not null
      order by call_id`,
  )
  return rows.map(row => row.call_id)
}
