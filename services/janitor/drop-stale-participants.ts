import { lockCall } from '#shared/calls/call-rows.ts'
import { settleStep } from '#shared/calls/settle.ts'
import { isLiving, step } from '#shared/domain/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Reading the state is the heartbeat of a call (interface 4.8). */
const STALE_AFTER: Seconds = 90

/**
 * Removes participants who have not read the state of their call for 90 s, and deleted accounts. A call with fewer than
 * two participants ends.
 */
export async function dropStaleParticipants(stores: Stores): Promise<number> {
  const seenBefore = stores.clock.now() - STALE_AFTER
  let left = 0
  for (const callId of await callsWithStaleParticipants(stores.db, seenBefore)) {
    left += await runCollectingTransaction(stores, (tx, invalidated) =>
      leaveCall(tx, invalidated, callId, seenBefore, stores.clock.now()),
    )
  }
  return left
}

/** $1 is the oldest heartbeat that still counts. */
const IS_STALE = `(
  participant.state = 'accepted' and participant.seen_ts < $1
  or participant.state in ('pending', 'accepted')
     and not exists (select from users where users.username = participant.username and users.state = 'active'))`

async function callsWithStaleParticipants(db: Db, seenBefore: Seconds): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id
       from calls call
      where state in ('ringing', 'active')
        and exists (select
                      from call_participants participant
                     where participant.call_id = call.call_id
                       and ${IS_STALE})
      order by call_id`,
    [seenBefore],
  )
  return rows.map(row => row.call_id)
}

/** Returns the number of participants who left. */
async function leaveCall(
  tx: Db,
  invalidated: Invalidated[],
  callId: string,
  seenBefore: Seconds,
  now: Seconds,
): Promise<number> {
  let call = await lockCall(tx, callId)
  let left = 0
  for (const username of call ? await lockStale(tx, callId, seenBefore) : []) {
    const after = step(call!, 'leave', username)
    if (!isLiving(call!.state) || typeof after !== 'object') continue
    call = await settleStep(tx, invalidated, call!, username, after, now)
    left++
  }
  return left
}

/** Locks the participants who are still stale: a heartbeat takes no lock on the call. */
async function lockStale(tx: Db, callId: string, seenBefore: Seconds): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `select username
       from call_participants participant
      where call_id = $2 and ${IS_STALE}
      order by join_order
        for update of participant`,
    [seenBefore, callId],
  )
  return rows.map(row => row.username)
}
