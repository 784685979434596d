import type { CallRow } from '#shared/calls/call-rows.ts'
import { settleStep } from '#shared/calls/settle.ts'
import { type CallVerb, step } from '#shared/domain/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { callFor } from './call-for.ts'
import { inQueueOfCall } from './in-queue-of-call.ts'

/** Accept, reject, end, leave: verbs of a participant (interface 3.1). */
export function act(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  verb: Exclude<CallVerb, 'invite' | 'join'>,
): Promise<CallRow> {
  return inCall(stores, viewer, callId, async (tx, invalidated, call) => {
    const after = step(call, verb, viewer)
    if (after === 'over') return errors.callOver()
    if (after === 'not now') return errors.doesNotRing()
    return settleStep(tx, invalidated, call, viewer, after, stores.clock.now())
  })
}

/**
 * Runs `work` in one transaction with the call locked, so that concurrent verbs see each other's effects. `work`
 * returns an error instead of throwing it, so that the end of an expired ring is committed.
 */
export async function inCall<T>(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  work: (tx: Db, invalidated: Invalidated[], call: CallRow) => Promise<T | HttpError>,
): Promise<T> {
  return orThrow(
    await inQueueOfCall(stores, callId, () =>
      runCollectingTransaction(stores, async (tx, invalidated) =>
        work(tx, invalidated, await callFor(stores, tx, invalidated, viewer, callId)),
      ),
    ),
  )
}

export function orThrow<T>(outcome: T | HttpError): T {
  if (outcome instanceof HttpError) throw outcome
  return outcome
}
