import type { ChannelId } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Copies who may write to the row of the clock, where sends read it. Requires that row: call it after a line. */
export async function applyPosting(tx: Db, channel: ChannelId): Promise<void> {
  await tx.query(
    `update channels
        set posting = case when properties.archived_ts is not null then 'nobody' else properties.posting end
       from channel_properties properties
      where channels.id = $1 and properties.channel = $1`,
    [channel],
  )
}
