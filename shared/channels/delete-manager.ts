import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Returns the registered spelling of a person who was a manager. */
export async function deleteManager(tx: Db, channel: ChannelId, name: string): Promise<Username | undefined> {
  const { rows } = await tx.query<{ username: Username }>(
    'delete from channel_managers where channel = $1 and username = account_named($2) returning username',
    [channel, name],
  )
  return rows[0]?.username
}
