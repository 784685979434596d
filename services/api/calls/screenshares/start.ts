import { randomUUID } from 'node:crypto'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import { checkNotArchived, findReadableChannel } from '#shared/access/readable-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import type { Username } from '#shared/domain/units.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertShare, lockMembership, lockSharing } from './queries.ts'
import { stopSharesOf } from './stop.ts'

/** Shares a screen in a DM or a private channel; ends the user's earlier share there (interface 3.2). */
export async function startShare(stores: Stores, sharer: Username, channelText: string): Promise<string> {
  const channel = await findReadableChannel(stores, sharer, channelText)
  if (!channel || channel.kind === 'public') throw errors.accessDenied()
  checkNotArchived(channel)
  const shareId = randomUUID()
  return runCollectingTransaction(stores, async (tx, invalidated) => {
    await lockParticipants(tx, channel.id)
    // A concurrent end of the membership or account waits for this lock, then finds and stops this share.
    if (!(await lockMembership(tx, sharer, channel.privateId))) throw errors.accessDenied()
    await lockSharing(tx, channel.id, sharer)
    await stopSharesOf(stores, tx, invalidated, sharer, channel.id)
    // The channel may have been archived meanwhile.
    if (!(await lockChannel(tx, channel.id))) throw errors.archivedChannel()
    await insertShare(tx, { share_id: shareId, channel: channel.id, sharer, now: stores.clock.now() })
    invalidated.push({ name: 'startShare', channel: channel.id, users: [sharer] })
    return shareId
  })
}
