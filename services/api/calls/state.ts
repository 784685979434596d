import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { hasRungOut, isLiving, takesPart } from '#shared/domain/calls.ts'
import type { CallStatePayload } from '#shared/domain/payloads.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { mayRead, stateIn } from './call-for.ts'
import { callState, callStates, livingCallsIn, livingCallsOf, noteSeen } from './queries.ts'
import { heldCall } from './settle.ts'

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

/**
 * Calls that are not over (ours): the channel's, for its readers to join; without a channel, those in which the viewer
 * is present or pending, for a reloaded page. Not a heartbeat: another tab may poll while the tab with the call is
 * dead.
 */
export async function activeCalls(
  stores: Stores,
  viewer: Username,
  channelText: string | undefined,
): Promise<CallStatePayload[]> {
  const ids = await livingCallsFor(stores, viewer, channelText)
  const calls = ids.length > 0 ? await callStates(stores.db, ids) : []
  // Sequentially: expired rings are locked and ended here, and hardly ever occur.
  for (const [i, call] of calls.entries()) calls[i] = await settled(stores, call)
  return calls.filter(({ state }) => isLiving(state))
}

async function livingCallsFor(stores: Stores, viewer: Username, channelText: string | undefined) {
  if (channelText === undefined) return livingCallsOf(stores.db, viewer)
  const channel = await findReadableChannel(stores, viewer, channelText)
  return channel === undefined ? [] : livingCallsIn(stores.db, channel.id)
}

/** Ends the call first if its ring has expired. */
async function settled(stores: Stores, call: CallStatePayload): Promise<CallStatePayload> {
  if (!hasRungOut(call, stores.clock.now())) return call
  await runCollectingTransaction(stores, (tx, invalidated) => heldCall(stores, tx, invalidated, call.call_id))
  return (await callState(stores.db, call.call_id)) ?? call
}
