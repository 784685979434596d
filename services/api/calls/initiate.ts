import { randomUUID } from 'node:crypto'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import {
  checkNotArchived,
  findReadableChannel,
  type ReadableChannel,
} from '#shared/access/readable-channel.ts'
import { lockLivingCall } from '#shared/calls/call-rows.ts'
import { settleRing } from '#shared/calls/settle.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { isLiving, MOST_RUNG } from '#shared/domain/calls.ts'
import type { NewCallPayload } from '#shared/domain/payloads/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { orThrow } from './act.ts'
import { hasMoreMembersThan, insertCall, isOpened, lockMember, lockMembers } from './queries.ts'

/** Rings everybody else in a DM or a private channel; at most one living call per channel. */
export async function initiate(
  stores: Stores,
  viewer: Username,
  channelText: string,
  video: boolean,
): Promise<NewCallPayload> {
  const channel = await findReadableChannel(stores, viewer, channelText)
  if (!channel || channel.kind === 'public') throw errors.accessDenied()
  checkNotArchived(channel)
  return orThrow(
    // An earlier call whose ring has expired ends here, with its line in the channel.
    await stores.rowLockQueues.run(channel.id, () =>
      runCollectingTransaction(stores, (tx, invalidated) =>
        ring(stores, tx, invalidated, viewer, channel, video),
      ),
    ),
  )
}

async function ring(
  stores: Stores,
  tx: Db,
  invalidated: Invalidated[],
  initiator: Username,
  channel: ReadableChannel,
  video: boolean,
): Promise<NewCallPayload | HttpError> {
  await lockParticipants(tx, channel.id)
  const others = await lockOthers(tx, initiator, channel)
  const living = await lockLivingCall(tx, channel.id)
  if (living && isLiving((await settleRing(stores, tx, invalidated, living)).state)) {
    return errors.callInProgress(living.call_id)
  }
  // The channel may have been archived meanwhile.
  if (!(await lockChannel(tx, channel.id))) throw errors.archivedChannel()
  const callId = randomUUID()
  const isFirst = await insertCall(tx, {
    call_id: callId,
    channel: channel.id,
    initiator,
    others,
    video,
    now: stores.clock.now(),
  })
  // Both called each other concurrently; the unique index decided.
  if (!isFirst) return errors.callInProgress((await lockLivingCall(tx, channel.id))?.call_id)
  invalidated.push({ name: 'ring', channel: channel.id, users: others, readers: true })
  return { call_id: callId, participants: [initiator, ...others] }
}

/** The users to ring, locked; none in a large channel, whose members join by themselves. */
async function lockOthers(tx: Db, initiator: Username, channel: ReadableChannel) {
  if (await hasMoreMembersThan(tx, channel.id, MOST_RUNG)) {
    if (!(await lockMember(tx, channel.id, initiator))) throw errors.accessDenied()
    return []
  }
  const members = await lockMembers(tx, channel.id, initiator)
  // The caller left between the access check and this lock.
  if (!members.includes(initiator)) throw errors.accessDenied()
  const others = members.filter(name => name !== initiator)
  if (others.length === 0) throw errors.nobodyToCall()
  // The call's system message would create the DM, and a DM requires existing accounts.
  const missing = channel.participants.find(name => !members.includes(name))
  if (missing !== undefined && !(await isOpened(tx, channel.id))) throw errors.noAccount(missing)
  return others
}
