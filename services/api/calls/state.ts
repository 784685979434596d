import { lockSettledCall } from '#shared/calls/settle.ts'
import { hasRungOut, isLiving, takesPart } from '#shared/domain/calls.ts'
import type { CallStatePayload } from '#shared/domain/payloads/calls.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { mayRead, stateIn } from './call-for.ts'
import { callState, noteSeen } from './queries.ts'

/**
 * For participants and members of the channel. Reading is the heartbeat of a user in the call. An expired ring ends
 * here or in the janitor, whichever looks first.
 */
export async function stateOf(stores: Stores, viewer: Username, idText: unknown): Promise<CallStatePayload> {
  const id = uuidFrom(idText)
  const call = id === undefined ? undefined : await callState(stores.db, id)
  if (!call) throw errors.callNotFound()
  const own = stateIn(call, viewer)
  if (!takesPart(own) && !(await mayRead(stores, stores.db, viewer, call.channel)))
    throw errors.accessDenied()

  const now = stores.clock.now()
  if (own === 'accepted' && isLiving(call.state)) await noteSeen(stores.db, call.call_id, viewer, now)
  return settled(stores, call)
}

/** Ends the call first if its ring has expired. */
async function settled(stores: Stores, call: CallStatePayload): Promise<CallStatePayload> {
  if (!hasRungOut(call, stores.clock.now())) return call
  await stores.rowLockQueues.run(call.channel, () =>
    runCollectingTransaction(stores, (tx, invalidated) =>
      lockSettledCall(stores, tx, invalidated, call.call_id),
    ),
  )
  return (await callState(stores.db, call.call_id)) ?? call
}
