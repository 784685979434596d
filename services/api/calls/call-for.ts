import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { CallRow } from '#shared/calls/call-rows.ts'
import { lockSettledCall } from '#shared/calls/settle.ts'
import { type ParticipantState, takesPart } from '#shared/domain/calls.ts'
import { type ChannelId, type Username, uuidFrom } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Locks the call for a present, invited or former participant who can still read its channel. 404 for an unknown call,
 * 403 for everybody else.
 */
export async function callFor(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  viewer: Username,
  idText: unknown,
): Promise<CallRow> {
  const id = uuidFrom(idText)
  const call = id === undefined ? undefined : await lockSettledCall(stores, tx, invalidated, id)
  if (!call) throw errors.callNotFound()
  const state = stateIn(call, viewer)
  if (!takesPart(state) && (state === undefined || !(await mayRead(stores, tx, viewer, call.channel)))) {
    throw errors.accessDenied()
  }
  return call
}

export function stateIn(
  call: { participants: { username: Username; state: ParticipantState }[] },
  username: Username | undefined,
): ParticipantState | undefined {
  return call.participants.find(participant => participant.username === username)?.state
}

/** True if the viewer may read the channel. Takes `db`, so that a transaction uses its own connection. */
export async function mayRead(stores: Stores, db: Db, viewer: Username, channel: ChannelId) {
  return (await findReadableChannel({ ...stores, db }, viewer, channel)) !== undefined
}
