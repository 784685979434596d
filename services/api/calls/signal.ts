import { hasRungOut, isLiving, takesPart } from '#shared/domain/calls.ts'
import type { SignalPayload } from '#shared/domain/payloads.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { Refusal, refuse } from '#shared/runtime/refusals.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inbox, putSignal, type Signal } from '../signalling/signals.ts'
import { inCall } from './act.ts'
import { reads, stateIn } from './call-for.ts'
import { participation } from './participation.ts'
import { shareCallFor } from './queries.ts'

/**
 * Sends between two present or pending users (decisions, Signals). Takes a shared lock on the call: when many join at
 * once, thousands of signals must not wait for each other.
 */
export async function signalInCall(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  signal: Signal | Refusal,
): Promise<void> {
  const outcome = await inTransaction(stores.pool, tx => send(stores, tx, viewer, uuidFrom(callId), signal))
  // Ends the call under an exclusive lock.
  if (outcome === 'rung out') await inCall(stores, viewer, callId, async () => refuse.callOver())
}

async function send(
  stores: Stores,
  tx: Db,
  viewer: Username,
  id: string | undefined,
  signal: Signal | Refusal,
): Promise<'rung out' | undefined> {
  const to = signal instanceof Refusal ? undefined : signal.to
  const call = id === undefined ? undefined : await shareCallFor(tx, id, [viewer, to])
  if (id === undefined || !call) throw refuse.callNotFound()
  const own = stateIn(call, viewer)
  if (!takesPart(own) && (own === undefined || !(await reads(stores, tx, viewer, call.channel)))) {
    throw refuse.accessDenied()
  }
  const now = stores.clock.now()
  if (hasRungOut(call, now)) return 'rung out'
  if (!isLiving(call.state)) throw refuse.callOver()
  if (!takesPart(own)) throw refuse.accessDenied()
  if (signal instanceof Refusal) throw signal
  if (to === viewer || !takesPart(stateIn(call, to))) throw refuse.accessDenied()
  const refusal = await putSignal(tx, id, viewer, signal, now)
  if (refusal) throw refusal
  return undefined
}

/** Empty for an ended call, and for users who have left. */
export async function signalsInCall(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  after: unknown,
): Promise<SignalPayload[]> {
  const call = await participation(stores, viewer, idText)
  return inbox(stores.db, call.call_id, viewer, after, stores.clock.now())
}
