import { type CallVerb, step } from '#shared/domain/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { Refusal, refuse } from '#shared/runtime/refusals.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { callFor } from './call-for.ts'
import type { CallRow } from './queries.ts'
import { settleStep } from './settle.ts'

/** Accept, reject, end, leave: verbs of a participant (interface 3.1). */
export function act(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  verb: Exclude<CallVerb, 'invite' | 'join'>,
): Promise<CallRow> {
  return inCall(stores, viewer, callId, async (tx, invalidated, call) => {
    const after = step(call, verb, viewer)
    if (after === 'over') return refuse.callOver()
    if (after === 'not now') return refuse.doesNotRing()
    return settleStep(tx, invalidated, call, viewer, after, stores.clock.now())
  })
}

/**
 * Runs `work` in one transaction with the call locked, so that concurrent verbs see each other's effects. `work`
 * returns a refusal instead of throwing it, so that the end of an expired ring is committed.
 */
export async function inCall<T>(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  work: (tx: Db, invalidated: Invalidated[], call: CallRow) => Promise<T | Refusal>,
): Promise<T> {
  return orRefuse(
    await runCollectingTransaction(stores, async (tx, invalidated) =>
      work(tx, invalidated, await callFor(stores, tx, invalidated, viewer, callId)),
    ),
  )
}

export function orRefuse<T>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw outcome
  return outcome
}
