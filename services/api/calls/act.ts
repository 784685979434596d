import { Refusal, refuse } from '#shared/kernel/refusals.ts'
import { type Touched, writeTouching } from '#shared/notices/touched.ts'
import { type CallVerb, step } from '#shared/rules/calls.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { callFor } from './call-for.ts'
import type { CallRow } from './queries.ts'
import { settleStep } from './settle.ts'

/** Accepting, rejecting, ending, leaving: what people do to a call they are asked into (interface 3.1). */
export function act(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  verb: Exclude<CallVerb, 'invite' | 'join'>,
): Promise<CallRow> {
  return inCall(stores, viewer, callId, async (tx, touched, call) => {
    const after = step(call, verb, viewer)
    if (after === 'over') return refuse.callOver()
    if (after === 'not now') return refuse.doesNotRing()
    return settleStep(tx, touched, call, viewer, after, stores.clock.now())
  })
}

/**
 * One transaction with the call held, so that of several verbs at once each sees what the others did. `work` answers a
 * refusal instead of throwing it: that a ring has run out stays written, whatever is refused because of it.
 */
export async function inCall<T>(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  work: (tx: Db, touched: Touched[], call: CallRow) => Promise<T | Refusal>,
): Promise<T> {
  return orRefuse(
    await writeTouching(stores, async (tx, touched) =>
      work(tx, touched, await callFor(stores, tx, touched, viewer, callId)),
    ),
  )
}

export function orRefuse<T>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw outcome
  return outcome
}
