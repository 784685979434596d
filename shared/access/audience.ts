import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { ReadableChannel } from './readable-channel.ts'

/**
 * Whom a change of the channel's messages concerns, for its notice; without `users`, everybody. Asked after the write,
 * so that whoever was added while it waited for the channel's lock is among them.
 */
export async function audienceOf(
  stores: Stores,
  channel: ReadableChannel,
): Promise<{ channel: ChannelId; users?: Username[] }> {
  const { id, kind, participants, privateId } = channel
  if (kind === 'dm') return { channel: id, users: participants }
  if (privateId === undefined) return { channel: id }
  return { channel: id, users: await membersOf(stores.db, privateId) }
}

/** In order of joining. */
export async function membersOf(db: Db, privateId: number): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    'select username from private_channel_members where channel_id = $1 order by join_order',
    [privateId],
  )
  return rows.map(row => row.username)
}
