import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { prepared } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export interface ReadableChannel {
  channel: ChannelId
  historyStart: Seconds
}

const READABLE_OF_VIEWER = prepared(
  `select channel, history_start as "historyStart" from (${READABLE_CHANNELS}) readable`,
)

/** The channels that the viewer may read. */
export async function findReadable(stores: Stores, viewer: Username): Promise<ReadableChannel[]> {
  const { rows } = await stores.db.query<ReadableChannel>(
    READABLE_OF_VIEWER,
    readableChannelsValues(stores, [viewer]),
  )
  return rows
}
