import { readersOf } from '#shared/access/readers.ts'
import type { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelCollection } from './collection.ts'

export const screenshares: ChannelCollection<'screenshares'> = {
  event: 'screenshares',
  scope: 'channel',
  minInterval: 500,

  /** Includes the viewer's own share (interface 4.9). */
  async read(stores, viewers, channel) {
    const { rows } = await stores.db.query<ScreensharePayload>(
      `select share_id, channel, sharer, started_ts
         from screen_shares
        where channel = $1 and state = 'active'
        order by started_ts, share_id`,
      [channel],
    )
    const readers = await readersOf(stores, viewers, channel)
    return new Map([...readers.keys()].map(viewer => [viewer, rows]))
  },
}
