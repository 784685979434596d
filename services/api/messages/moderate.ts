import { lockRole } from '#shared/access/account-locks.ts'
import { lockMembership } from '#shared/access/private-channel.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { type ReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { mentionsOf } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Before, buryMessage } from './queries.ts'

/**
 * Removes a message of somebody else as owner, admin or manager of its channel, not in a DM (interface 11.6). Repeating
 * it changes nothing.
 */
export async function moderateDelete(
  stores: Stores,
  actor: Actor,
  id: unknown,
  reason: string | undefined,
): Promise<void> {
  const message = await readableMessage(stores, actor.actor, id)
  const { channel, sender } = message
  await checkMayRemove(stores, actor, channel)
  if (message.deleted === 1) return
  const scope = ({ mentions, followers }: Before) => ({
    channel: channel.id,
    besides: mentionsOf(channel.id, mentions, [], { id: message.id, followers, also: [sender] }),
  })
  await stores.rowLockQueues.run(channel.id, () =>
    runTransaction<Before | typeof unchanged>(stores, 'delete', scope, tx =>
      remove(stores, tx, actor, message, reason),
    ),
  )
  // After the row: an orphaned file is swept later, a row without its file would be a broken picture.
  if (message.filename !== null) await stores.files.remove(message.filename)
}

/** Accounts, membership, then the clock: the right to remove lasts until the transaction ends. */
async function remove(
  stores: Stores,
  tx: Db,
  actor: Actor,
  { id, sender, channel }: ReadableMessage,
  reason: string | undefined,
): Promise<Before | typeof unchanged> {
  if ((await lockRole(tx, actor.actor)) === undefined) throw errors.signedOut()
  if (channel.privateId !== undefined && !(await lockMembership(tx, channel.privateId, actor.actor)))
    throw errors.notFound()
  await lockChannel(tx, channel.id)
  await checkMayRemove({ ...stores, db: tx }, actor, channel)
  const before = await buryMessage(tx, id, channel.id, { moderator: actor.actor })
  if (!before) return unchanged
  await insertAuditEntry(tx, {
    ...actor,
    action: 'message.removed',
    target: sender,
    channel: channel.id,
    detail: { id, sender, ...(reason === undefined ? {} : { reason }) },
  })
  return before
}

async function checkMayRemove(stores: Stores, { actor }: Actor, { id, kind }: ReadableChannel) {
  const channel =
    kind === 'dm' ? undefined : await findReadableChannel(stores, actor, id, { withManaging: true })
  if (!channel?.manages)
    throw errors.coded(403, 'forbidden', 'Only administrators and managers of the channel may do this.')
}
