import { lockRoles } from '#shared/access/account-locks.ts'
import { currentNames } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { deleteManager } from '#shared/channels/delete-manager.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertManager } from '../public/insert-manager.ts'
import type { Editor } from './change.ts'
import { lockedChannel } from './locked-channel.ts'
import { keepHeir } from './queries.ts'

/** Names a manager, or takes the right away. 404 for people who cannot read the channel; guests manage nothing. */
export async function setManager(
  stores: Stores,
  editor: Editor,
  text: string,
  given: string,
  manages: boolean,
): Promise<void> {
  const [name] = (await currentNames(stores.db, [given])) as [string]
  const isPrivate = parseChannelId(text)?.kind === 'private'
  const scope = ({ channel, person }: { channel: ChannelId; person: Username }) => ({
    channel,
    ...(isPrivate ? {} : { besides: [{ collections: ['sidebar'] as const, users: [person] }] }),
  })
  await stores.rowLockQueues.run(text.slice(0, 100), () =>
    runTransaction(stores, 'changeManagers', scope, async tx => {
      const locked = await lockRoles(tx, [editor.name, name])
      const person = locked.find(({ username }) => username.toLowerCase() === name.toLowerCase())
      const channel = await lockedChannel(stores, tx, editor.name, text)
      if (!channel.manages) throw errors.forbidden()
      const reads = person && (await findReadableChannel({ ...stores, db: tx }, person.username, channel.id))
      // Also of a manager who is deactivated or reads the channel no more.
      const former = !manages && isUsername(name) ? await deleteManager(tx, channel.id, name) : undefined
      if (!reads && former === undefined) throw errors.notFound()
      if (manages && reads) {
        if (person.role === 'guest') throw errors.invalid('a guest cannot manage a channel')
        if (channel.privateId !== undefined) await keepHeir(tx, channel.privateId, channel.id)
      }
      const target = manages ? person!.username : former
      if (target === undefined || (manages && !(await insertManager(tx, channel.id, target))))
        return unchanged
      await insertAuditEntry(tx, {
        actor: editor.name,
        actorKind: 'person',
        address: editor.address,
        action: 'channel.managers',
        target,
        channel: channel.id,
        detail: { manages },
      })
      return { channel: channel.id, person: target }
    }),
  )
}
