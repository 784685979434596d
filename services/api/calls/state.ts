import { refuse } from '#shared/kernel/refusals.ts'
import { writeTouching } from '#shared/notices/touched.ts'
import { hasRungOut, isLiving, takesPart } from '#shared/rules/calls.ts'
import type { CallStatePayload } from '#shared/rules/payloads.ts'
import { type Username, uuidFrom } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { reads, stateIn } from './call-for.ts'
import { callState, noteSeen } from './queries.ts'
import { heldCall } from './settle.ts'

/**
 * For participants and members of the channel. Whoever is in the call shows by reading that they still are; a ring that
 * has run out ends here, or at the janitor's, whoever looks first.
 */
export async function stateOf(stores: Stores, viewer: Username, idText: unknown): Promise<CallStatePayload> {
  const id = uuidFrom(idText)
  const call = id === undefined ? undefined : await callState(stores.db, id)
  if (!call) throw refuse.callNotFound()
  const own = stateIn(call, viewer)
  if (!takesPart(own) && !(await reads(stores, stores.db, viewer, call.channel))) throw refuse.accessDenied()

  const now = stores.clock.now()
  if (hasRungOut(call, now)) {
    await writeTouching(stores, (tx, touched) => heldCall(stores, tx, touched, call.call_id))
    return (await callState(stores.db, call.call_id)) ?? call
  }
  if (own === 'accepted' && isLiving(call.state)) await noteSeen(stores.db, call.call_id, viewer, now)
  return call
}
