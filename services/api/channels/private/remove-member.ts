import { privateAccess } from '#shared/access/access-of.ts'
import { lockName, lockRole } from '#shared/access/account-locks.ts'
import { lockMembership, type PrivateChannel } from '#shared/access/private-channel.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { clearTyping } from '../typing.ts'
import { endMembership, scopeOfLeaving } from './leave.ts'
import { lockBoth } from './queries.ts'

/** Managers only. Open streams of the removed member lose the channel at once. */
export async function removeMember(
  stores: Stores,
  remover: Username,
  channel: PrivateChannel,
  name: string,
): Promise<void> {
  const { id, privateId } = channel
  const scope = ({ concerned, removed }: Removed) => scopeOfLeaving(id, removed, concerned)
  const { removed } = await stores.rowLockQueues.run(id, () =>
    runTransaction(stores, 'leave', scope, async tx => {
      if ((await lockRole(tx, remover)) === undefined) throw errors.signedOut()
      const account = isUsername(name) ? await lockName(tx, name) : undefined
      if (account !== undefined) await lockBoth(tx, privateId, remover, account)
      if (!(await lockMembership(tx, privateId, remover))) throw errors.notFound()
      await checkManages(tx, remover, privateId)
      const line = `${remover} removed ${account} from the channel.`
      const concerned =
        account === undefined ? undefined : await endMembership(stores, tx, account, channel, line)
      if (account === undefined || concerned === undefined)
        throw errors.coded(409, 'conflict', 'This person is not in the channel.')
      // Again under the clock, which changes of managers take.
      if (account !== remover) await checkManages(tx, remover, privateId)
      return { concerned, removed: account }
    }),
  )
  await clearTyping(stores, removed, id)
}

async function checkManages(tx: Db, remover: Username, privateId: number): Promise<void> {
  const access = await privateAccess({ db: tx }, remover, privateId, true)
  if (!access?.manages) throw errors.forbidden()
}

interface Removed {
  concerned: Username[]
  removed: Username
}
