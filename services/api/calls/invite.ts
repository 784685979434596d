import { lockName } from '#shared/access/account-locks.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { settleStep } from '#shared/calls/settle.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { MOST_PARTICIPANTS, step } from '#shared/domain/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { orThrow } from './act.ts'
import { callFor, stateIn } from './call-for.ts'
import { inQueueOfCall } from './in-queue-of-call.ts'

/** Invites any registered user into a living call; the ring starts now (interface 3.1). */
export async function invite(
  stores: Stores,
  viewer: Username,
  callId: unknown,
  name: string | undefined,
): Promise<void> {
  orThrow(
    await inQueueOfCall(stores, callId, () =>
      runCollectingTransaction(stores, async (tx, invalidated) => {
        // Before the call: a deletion of the account locks the two in this order.
        const invitee = name === undefined ? undefined : await lockName(tx, name, `state = 'active'`)
        return ask(stores, tx, invalidated, viewer, callId, name, invitee)
      }),
    ),
  )
}

async function ask(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  viewer: Username,
  callId: unknown,
  name: string | undefined,
  invitee: Username | undefined,
): Promise<HttpError | undefined> {
  const call = await callFor(stores, tx, invalidated, viewer, callId)
  if (stateIn(call, viewer) !== 'accepted') return errors.accessDenied()
  if (!name) return errors.required('username')
  const after = step(call, 'invite', invitee ?? name)
  if (after === 'over') return errors.callOver()
  if (invitee === undefined) return errors.userNotFound()
  if ((await visibleAmong({ ...stores, db: tx }, viewer, [invitee])).length === 0)
    return errors.userNotFound()
  if (after === 'not now') return errors.doesNotRing()
  if (stateIn(call, invitee) === undefined && call.participants.length >= MOST_PARTICIPANTS) {
    return errors.callFull(MOST_PARTICIPANTS)
  }
  if (!(await lockChannel(tx, call.channel))) return errors.archivedChannel()
  await settleStep(tx, invalidated, call, invitee, after, stores.clock.now())
  return undefined
}
