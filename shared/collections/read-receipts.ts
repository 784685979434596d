import { readersOf } from '#shared/access/readers.ts'
import { SHARES_READ } from '#shared/access/shares-read.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { type ChannelCollection, emptyRecord } from './collection.ts'

export const readReceipts: ChannelCollection<'read_receipts'> = {
  event: 'read_receipts',
  scope: 'channel',
  minInterval: 500,

  async read(stores, viewers, channel) {
    const receipts = emptyRecord<Seconds>()
    const isShown = stores.settings.current.read_receipts
    for (const marker of isShown ? await readMarkersOf(stores.db, channel) : [])
      receipts[marker.username] = marker.last_read_ts
    const readers = await readersOf(stores, viewers, channel)
    return new Map([...readers.keys()].map(viewer => [viewer, receipts]))
  },
}

/**
 * Returns the watermarks of active accounts that share them, in a private channel of its members. A row at 0 only
 * holds a mark as unread.
 */
async function readMarkersOf(db: Db, channel: ChannelId) {
  const parsed = parseChannelId(channel)
  const privateId = parsed?.kind === 'private' ? parsed.privateId : null
  const { rows } = await db.query<{ username: Username; last_read_ts: Seconds }>(
    `select marker.username, marker.last_read_ts
       from read_watermarks marker
       join users using (username)
      where marker.channel = $1
        and marker.last_read_ts > 0
        and users.state = 'active'
        and ${SHARES_READ}
        and ($2::bigint is null or exists (
              select from private_channel_members
               where channel_id = $2 and username = marker.username))
      order by marker.username`,
    [channel, privateId],
  )
  return rows
}
