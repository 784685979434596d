import { lockRole } from '#shared/access/account-locks.ts'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import { lockMembership } from '#shared/access/private-channel.ts'
import { checkPosting, findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Locks what a send locks, in the same order: accounts, membership, the clock. The writer then keeps the right to write
 * until the transaction ends. False if they cannot read the channel any more; throws where they may not write.
 */
export async function lockWritable(
  stores: Stores,
  tx: Db,
  writer: Username,
  { id, kind, role, privateId }: ReadableChannel,
): Promise<boolean> {
  await lockParticipants(tx, id)
  if ((await lockRole(tx, writer)) === undefined) throw errors.signedOut()
  if (privateId !== undefined && !(await lockMembership(tx, privateId, writer))) return false
  if (kind === 'public' && role === 'guest') await lockJoining(tx, writer, id)
  await lockChannel(tx, id)
  // Read under the lock of the clock, which archiving and changes of posting take.
  const channel = await findReadableChannel({ ...stores, db: tx }, writer, id)
  if (channel) checkPosting(channel)
  return channel !== undefined
}

async function lockJoining(tx: Db, guest: Username, channel: string): Promise<void> {
  await tx.query('select from channel_memberships where username = $1 and channel = $2 for share', [
    guest,
    channel,
  ])
}
