import { type CallState, isLiving, takesPart } from '#shared/domain/calls.ts'
import { type Username, uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { findParticipation } from './queries.ts'

/**
 * The call of a present or invited user, without a lock: for frequent reads, and before a body is read. Nothing is left
 * to read in an ended call, so every former participant may look.
 */
export async function participation(
  stores: Stores,
  viewer: Username,
  idText: unknown,
): Promise<{ call_id: string; state: CallState }> {
  const id = uuidFrom(idText)
  const call = id === undefined ? undefined : await findParticipation(stores.db, id, viewer)
  if (!call) throw errors.callNotFound()
  const own = call.own_state ?? undefined
  if (!takesPart(own) && (own === undefined || isLiving(call.state))) throw errors.accessDenied()
  return call
}
