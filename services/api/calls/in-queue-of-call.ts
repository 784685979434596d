import { uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { channelOfCall } from './queries.ts'

/**
 * Runs a transaction that may end a call in the queue of the call's channel, because the end posts a line there. 404 for
 * an unknown call.
 */
export async function inQueueOfCall<T>(stores: Stores, callId: unknown, work: () => Promise<T>): Promise<T> {
  const id = uuidFrom(callId)
  const channel = id === undefined ? undefined : await channelOfCall(stores.db, id)
  if (channel === undefined) throw errors.callNotFound()
  return stores.rowLockQueues.run(channel, work)
}
