import { privateAccess } from '#shared/access/access-of.ts'
import { lockRole } from '#shared/access/account-locks.ts'
import { checkDecides, lockMembership, type PrivateChannel } from '#shared/access/private-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { updateName } from './update-name.ts'

/** Any member may who may write; an unchanged name is not announced. */
export async function rename(
  stores: Stores,
  renamer: Username,
  { id, privateId }: PrivateChannel,
  name: string,
): Promise<void> {
  await stores.rowLockQueues.run(id, () =>
    runTransaction(stores, 'changeChannel', { channel: id }, async tx => {
      checkDecides(await lockRole(tx, renamer))
      // The renamer left between the access check and this write.
      if (!(await lockMembership(tx, privateId, renamer))) throw errors.forbidden()
      if (!(await lockChannel(tx, id))) throw errors.archivedChannel()
      const access = await privateAccess({ db: tx }, renamer, privateId, true)
      // The line about it is read by everybody.
      if (access?.posting === 'managers' && !access.manages) throw errors.readOnlyChannel()
      if (!(await updateName(tx, privateId, name))) return unchanged
      await insertSystemMessage(tx, id, `${renamer} renamed the channel to “${name}”.`)
      return undefined
    }),
  )
}
