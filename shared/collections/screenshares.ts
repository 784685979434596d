import { readersOf } from '#shared/access/readers.ts'
import type { ScreensharePayload } from '#shared/rules/payloads.ts'
import type { ChannelCollection } from './collection.ts'

export const screenshares: ChannelCollection<'screenshares'> = {
  event: 'screenshares',
  scope: 'channel',
  minInterval: 500,

  /** The viewer's own share included (interface 4.9). */
  async read(stores, viewers, channel) {
    const readers = await readersOf(stores, viewers, channel)
    if (readers.size === 0) return new Map()
    const { rows } = await stores.db.query<ScreensharePayload>(
      `select share_id, channel, sharer, started_ts
         from screen_shares
        where channel = $1 and state = 'active'
        order by started_ts, share_id`,
      [channel],
    )
    return new Map([...readers.keys()].map(viewer => [viewer, rows]))
  },
}
