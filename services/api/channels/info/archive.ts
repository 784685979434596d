import { type Actor, insertAuditEntry, OPERATOR } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { endCallsIn } from '../../calls/end-calls-in.ts'
import { applyPosting } from '../public/apply-posting.ts'
import type { Editor } from './change.ts'
import { lockedByOperator, lockedChannel } from './locked-channel.ts'
import { updateArchived } from './queries.ts'

/** Archives a channel, or brings it back with its members. Managers only; repeating it changes nothing. */
export async function setArchived(
  stores: Stores,
  editor: Editor,
  text: string,
  isArchived: boolean,
): Promise<void> {
  const parsed = parseChannelId(text)
  const isPrivate = parsed?.kind === 'private'
  const scope = (channel: ChannelId) => ({
    channel,
    ...(isPrivate ? {} : { besides: [{ collections: OF_OWN_CHANNELS }] }),
  })
  await stores.rowLockQueues.run(text.slice(0, 100), () =>
    runTransaction(stores, 'archiveChannel', scope, async tx => {
      const channel = editor.isOperator
        ? await lockedByOperator(stores, tx, text)
        : await lockedChannel(stores, tx, editor.name, text)
      if (!channel.manages) throw errors.forbidden()
      if (channel.isArchived === isArchived) return unchanged
      const what = isArchived ? 'archived this channel.' : 'brought this channel back.'
      await insertSystemMessage(tx, channel.id, `${editor.name} ${what}`)
      await updateArchived(tx, channel.id, isArchived ? editor.name : null)
      await applyPosting(tx, channel.id)
      await insertAuditEntry(tx, {
        ...actorOf(editor),
        action: isArchived ? 'channel.archived' : 'channel.unarchived',
        channel: channel.id,
      })
      return channel.id
    }),
  )
  // Also when repeated: the first request may have ended before. Otherwise the janitor ends them.
  if (isPrivate && isArchived) await endCallsIn(stores, parsed.id)
}

const actorOf = ({ name, address, isOperator }: Editor): Actor =>
  isOperator ? OPERATOR : { actor: name, actorKind: 'person', address }
