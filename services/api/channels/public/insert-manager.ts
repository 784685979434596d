import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function insertManager(tx: Db, channel: ChannelId, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into channel_managers (channel, username) values ($1, $2) on conflict do nothing',
    [channel, username],
  )
  return rowCount === 1
}
