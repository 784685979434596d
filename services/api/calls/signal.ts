import { Refusal, refuse } from '#shared/kernel/refusals.ts'
import { isLiving, takesPart } from '#shared/rules/calls.ts'
import type { SignalPayload } from '#shared/rules/payloads.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inbox, putSignal, type Signal } from '../signalling/signals.ts'
import { inCall } from './act.ts'
import { stateIn } from './call-for.ts'
import { participation } from './participation.ts'

/** Between two who are in the call or asked into it (decisions, Signals). */
export function signalInCall(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  signal: Signal | Refusal,
): Promise<void> {
  return inCall(stores, viewer, callId, async (tx, _touched, call) => {
    if (!isLiving(call.state)) return refuse.callOver()
    if (!takesPart(stateIn(call, viewer))) return refuse.accessDenied()
    if (signal instanceof Refusal) return signal
    if (signal.to === viewer || !takesPart(stateIn(call, signal.to))) return refuse.accessDenied()
    return putSignal(tx, call.call_id, viewer, signal, stores.clock.now())
  })
}

/** Nothing is left of a call that is over, nor for those who have left it. */
export async function signalsInCall(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  after: unknown,
): Promise<SignalPayload[]> {
  const call = await participation(stores, viewer, idText)
  return inbox(stores.db, call.call_id, viewer, after, stores.clock.now())
}
