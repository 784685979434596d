import { releaseScreenshare } from '#shared/calls/call-rows.ts'
import { isLiving } from '#shared/domain/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inCall } from './act.ts'
import { stateIn } from './call-for.ts'
import { claimScreenshare } from './queries.ts'

/** The latest claimer shares; a release by others has no effect (interface 4.8). */
export function shareScreen(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  on: boolean | undefined,
): Promise<void> {
  return inCall(stores, viewer, callId, async (tx, _invalidated, call) => {
    if (on === undefined) return errors.required('on')
    if (!isLiving(call.state)) return errors.callOver()
    if (stateIn(call, viewer) !== 'accepted') return errors.accessDenied()
    if (on) await claimScreenshare(tx, call.call_id, viewer)
    else await releaseScreenshare(tx, call.call_id, viewer)
    return undefined
  })
}
