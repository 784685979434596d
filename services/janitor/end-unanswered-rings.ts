import { finishCall } from '#shared/calls/finish-call.ts'
import { RING_TIME } from '#shared/domain/calls.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Rejects calls that were not answered in time, unless a read of their state did so first (interface 3.1). */
export async function endUnansweredRings(stores: Stores): Promise<number> {
  let ended = 0
  for (const callId of await unanswered(stores.db, stores.clock.now() - RING_TIME)) {
    const isOurs = await runCollectingTransaction(stores, async (tx, invalidated) => {
      if (!(await lockRinging(tx, callId))) return false
      return finishCall(tx, invalidated, callId, 'rejected', stores.clock.now())
    })
    if (isOurs) ended++
  }
  return ended
}

async function unanswered(db: Db, startedBefore: Seconds): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id from calls where state = 'ringing' and started_ts < $1`,
    [startedBefore],
  )
  return rows.map(row => row.call_id)
}

/** Locks the call. False if it was answered since, or if another transaction has the lock: that one checks the time too. */
async function lockRinging(tx: Db, callId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from calls where call_id = $1 and state = 'ringing' for update skip locked`,
    [callId],
  )
  return rowCount === 1
}
