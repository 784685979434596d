import { inactiveAmong } from '#shared/access/person.ts'
import { holdMembership, type PrivateChannel } from '#shared/access/private-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markRead } from '../read-state/read-marker.ts'
import { insertMember, isMember, lockAccount } from './queries.ts'

/** Any member may; the new member's history begins with the line that announces them (interface 4.7). */
export async function addMember(
  stores: Stores,
  adder: Username,
  { id, privateId }: PrivateChannel,
  name: string,
): Promise<void> {
  await stores.rowLockQueues.run(id, () =>
    runTransaction(stores, 'addMember', { channel: id }, async tx => {
      const added = await lockAccount(tx, name)
      if (added === undefined || (await inactiveAmong(tx, [added])).has(added)) throw errors.userNotFound()
      // The adder left between the access check and this write.
      if (!(await holdMembership(tx, privateId, adder))) throw errors.forbidden()
      await lockChannel(tx, id)
      if (await isMember(tx, privateId, added)) throw errors.alreadyMember()

      await markRead(tx, added, id)
      const line = await insertSystemMessage(tx, id, `${adder} added ${added} to the channel.`)
      await insertMember(tx, privateId, added, line.ts)
    }),
  )
}
