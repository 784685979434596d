import { membersOf } from '#shared/access/audience.ts'
import type { PrivateChannel } from '#shared/access/private-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { deleteManager } from '#shared/channels/delete-manager.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Scope } from '#shared/notices/invalidations.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { leaveCallsOf } from '../../calls/leave-calls-of.ts'
import { deleteReadMarker } from '../read-state/read-marker.ts'
import { clearTyping } from '../typing.ts'
import { deleteMember } from './queries.ts'

/** The notice goes to the leaver too: their open tabs lose the channel at once (interface 6). */
export async function leave(stores: Stores, leaver: Username, channel: PrivateChannel): Promise<void> {
  await clearTyping(stores, leaver, channel.id)
  await stores.rowLockQueues.run(channel.id, () =>
    runTransaction(
      stores,
      'leave',
      (concerned: Username[]) => scopeOfLeaving(channel.id, leaver, concerned),
      async tx => {
        const concerned = await endMembership(stores, tx, leaver, channel)
        // Already left, in another tab.
        if (concerned === undefined) throw errors.forbidden()
        return concerned
      },
    ),
  )
}

/** For the notice: the remaining members, the people concerned besides them, and the inbox of the leaver. */
export const scopeOfLeaving = (channel: ChannelId, leaver: Username, concerned: Username[]): Scope => ({
  channel,
  besides: [
    { channel, users: concerned },
    { collections: ['inbox'], channel, users: [leaver] },
  ],
})

/**
 * Takes a user out of a channel and its calls, within a transaction. Returns the affected users besides the remaining
 * members; undefined for a non-member. The last departure, and one from an archived
 * channel, posts no line; the empty channel stays (interface 4.7).
 * To take a user out of several channels, call this in ascending order of ids, which avoids deadlocks.
 */
export async function endMembership(
  stores: Stores,
  tx: Db,
  leaver: Username,
  { id, privateId }: Pick<PrivateChannel, 'id' | 'privateId'>,
  line = `${leaver} left the channel.`,
): Promise<Username[] | undefined> {
  if (!(await deleteMember(tx, privateId, leaver))) return undefined
  const calls = await leaveCallsOf(stores, tx, leaver, id)
  const isOpen = await lockChannel(tx, id)
  // Rows of managers and read marks after the clock: others change them under it.
  await deleteManager(tx, id, leaver)
  await deleteReadMarker(tx, id, leaver)
  const remaining = await membersOf(tx, privateId)
  if (isOpen && remaining.length > 0) await insertSystemMessage(tx, id, line)
  // Guests of a call that this ended need not be members.
  return [...new Set([leaver, ...calls.flatMap(({ users }) => users)])]
}
