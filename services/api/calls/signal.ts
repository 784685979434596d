import { hasRungOut, isLiving, takesPart } from '#shared/domain/calls.ts'
import type { SignalPayload } from '#shared/domain/payloads/calls.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inCall } from './act.ts'
import { mayRead, stateIn } from './call-for.ts'
import { participation } from './participation.ts'
import { shareCallFor } from './queries.ts'
import { inbox, putSignal, type Signal } from './signalling/signals.ts'

/**
 * Sends between two present or pending users (interface 4.8). Takes a shared lock on the call: when many join at
 * once, thousands of signals must not wait for each other.
 */
export async function signalInCall(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  signal: Signal | HttpError,
): Promise<void> {
  const outcome = await inTransaction(stores.pool, tx => send(stores, tx, viewer, uuidFrom(callId), signal))
  // inCall() takes the exclusive lock and ends a call whose ring has expired.
  if (outcome === 'rung out') await inCall(stores, viewer, callId, async () => errors.callOver())
}

async function send(
  stores: Stores,
  tx: Db,
  viewer: Username,
  id: string | undefined,
  signal: Signal | HttpError,
): Promise<'rung out' | undefined> {
  const to = signal instanceof HttpError ? undefined : signal.to
  const call = id === undefined ? undefined : await shareCallFor(tx, id, [viewer, to])
  if (id === undefined || !call) throw errors.callNotFound()
  const own = stateIn(call, viewer)
  if (!takesPart(own) && (own === undefined || !(await mayRead(stores, tx, viewer, call.channel)))) {
    throw errors.accessDenied()
  }
  const now = stores.clock.now()
  if (hasRungOut(call, now)) return 'rung out'
  if (!isLiving(call.state)) throw errors.callOver()
  if (!takesPart(own)) throw errors.accessDenied()
  if (signal instanceof HttpError) throw signal
  if (to === viewer || !takesPart(stateIn(call, to))) throw errors.accessDenied()
  await putSignal(tx, id, viewer, signal, now)
  return undefined
}

/** Empty for an ended call, and for users who have left. */
export async function signalsInCall(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  after: number,
): Promise<SignalPayload[]> {
  const call = await participation(stores, viewer, idText)
  return inbox(stores.db, call.call_id, viewer, after, stores.clock.now())
}
