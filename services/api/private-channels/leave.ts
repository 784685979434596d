import { membersOf } from '#shared/access/audience.ts'
import type { PrivateChannel } from '#shared/access/private-channel.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { write } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { postSystemLine } from '../messages/post.ts'
import { clearTyping } from '../presence/typing.ts'
import { deleteMember, lockChannel } from './queries.ts'

/** The notice goes to the leaver too: their open tabs lose the channel at once (decisions, Event stream). */
export async function leave(stores: Stores, leaver: Username, channel: PrivateChannel): Promise<void> {
  await clearTyping(stores, leaver, channel.id)
  await write(
    stores,
    'leavePrivate',
    (remaining: Username[]) => ({ channel: channel.id, users: [...remaining, leaver] }),
    async tx => {
      const remaining = await endMembership(tx, leaver, channel)
      // Left a moment ago, in another tab.
      if (remaining === undefined) throw refuse.forbidden()
      return remaining
    },
  )
}

/**
 * Takes somebody out of a channel, within a transaction; answers who remains, undefined when they were no member.
 * Nobody reads the line in an empty channel, which stays (interface 4.7).
 */
export async function endMembership(
  tx: Db,
  leaver: Username,
  { id, privateId }: Pick<PrivateChannel, 'id' | 'privateId'>,
): Promise<Username[] | undefined> {
  if (!(await deleteMember(tx, privateId, leaver))) return undefined
  await lockChannel(tx, id)
  const remaining = await membersOf(tx, privateId)
  if (remaining.length > 0) await postSystemLine(tx, id, `${leaver} left the channel.`)
  return remaining
}
