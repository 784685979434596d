import { finishCall } from '#shared/calls/finish-call.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Does the resets of a service start (interface 1). Adds the calls to `invalidated`; returns whether anything else
 * changed.
 */
export async function resetService(tx: Db, invalidated: Invalidated[], now: Seconds): Promise<boolean> {
  for (const callId of await livingCalls(tx)) await finishCall(tx, invalidated, callId, 'ended', now)
  const shares = await endShares(tx, now)
  const people = await resetPresence(tx)
  await tx.query('delete from signals')
  await tx.query('delete from media_chunks')
  return shares + people > 0
}

/** Ordered by id, as everywhere, to avoid deadlocks. */
async function livingCalls(tx: Db): Promise<string[]> {
  const { rows } = await tx.query<{ call_id: string }>(
    `select call_id from calls where state in ('ringing', 'active') order by call_id`,
  )
  return rows.map(row => row.call_id)
}

async function endShares(tx: Db, now: Seconds): Promise<number> {
  const { rowCount } = await tx.query(
    `update screen_shares set state = 'ended', ended_ts = $1 where state = 'active'`,
    [now],
  )
  return rowCount ?? 0
}

async function resetPresence(tx: Db): Promise<number> {
  const { rowCount } = await tx.query(
    `update presence
        set state = 'offline', override = null
      where state <> 'offline' or override is not null`,
  )
  return rowCount ?? 0
}
