import { lockName, lockRole } from '#shared/access/account-locks.ts'
import { inactiveAmong } from '#shared/access/person.ts'
import { checkDecides, lockMembership, type PrivateChannel } from '#shared/access/private-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markJoined } from '../read-state/read-marker.ts'
import { insertMember, isMember } from './queries.ts'

/** Any member may; the new member's history begins with the line that announces them (interface 4.7). */
export async function addMember(
  stores: Stores,
  adder: Username,
  { id, privateId }: PrivateChannel,
  name: string,
): Promise<void> {
  await stores.rowLockQueues.run(id, () =>
    runTransaction(stores, 'addMember', { channel: id }, async tx => {
      checkDecides(await lockRole(tx, adder))
      const added = await lockName(tx, name)
      if (added === undefined || (await inactiveAmong(tx, [added])).has(added)) throw errors.userNotFound()
      // The adder left between the access check and this write.
      if (!(await lockMembership(tx, privateId, adder))) throw errors.forbidden()
      const outcome = await addLocked(tx, { id, privateId }, adder, added)
      if (outcome === 'archived') throw errors.archivedChannel()
      if (outcome === 'already a member') throw errors.alreadyMember()
    }),
  )
}

/**
 * Adds a person in a transaction of the caller, who holds their account and publishes the notice. A transaction that
 * adds to several channels does so in ascending order.
 */
export async function addToPrivate(
  tx: Db,
  channel: Pick<PrivateChannel, 'id' | 'privateId'>,
  adder: Username,
  added: Username,
): Promise<Added | 'adder has left'> {
  if (!(await lockMembership(tx, channel.privateId, adder))) return 'adder has left'
  return addLocked(tx, channel, adder, added)
}

type Added = 'added' | 'already a member' | 'archived'

async function addLocked(
  tx: Db,
  { id, privateId }: Pick<PrivateChannel, 'id' | 'privateId'>,
  adder: Username,
  added: Username,
): Promise<Added> {
  if (!(await lockChannel(tx, id))) return 'archived'
  if (await isMember(tx, privateId, added)) return 'already a member'
  await markJoined(tx, [added], [id])
  const line = await insertSystemMessage(tx, id, `${adder} added ${added} to the channel.`)
  await insertMember(tx, privateId, added, line.ts)
  return 'added'
}
