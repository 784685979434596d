import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import { INBOX_KINDS, type InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { presentReaders } from '../mentions.ts'
import { INBOX_KEPT, READABLE } from './candidates.ts'
import type { Candidate } from './item-kind.ts'
import { inChannel, KINDS, ofViewer } from './kinds.ts'

/** Unread items counted per channel and kind at most. */
export const MOST_COUNTED = 100

export type Unread = Pick<InboxPayload, 'unread' | 'threads'>
export const NONE: Unread = { unread: 0, threads: 0 }

/** Counts unread items but reactions. */
export async function unreadFor(stores: Stores, viewers: Username[]): Promise<Map<Username, Unread>> {
  const [counts, reminders] = await Promise.all([
    unreadInChannels(stores, viewers),
    unreadOfViewers(stores, viewers),
  ])
  for (const [viewer, count] of reminders) {
    const { unread, threads } = counts.get(viewer) ?? NONE
    counts.set(viewer, { unread: unread + count, threads })
  }
  return counts
}

/** Reminders of messages that the viewer may read, and failed sends. */
async function unreadOfViewers({ db, clock }: Stores, viewers: Username[]): Promise<Map<Username, number>> {
  const { rows } = await db.query<Candidate>(
    `select viewer.name as viewer, item.*
       from unnest($1::text[]) as viewer (name)
      cross join lateral (${ofViewer(INBOX_KINDS, 'not read and $2::text is not null', '$4')}) item`,
    [viewers, EVERYONE, clock.now() - INBOX_KEPT, MOST_COUNTED],
  )
  const unread = Map.groupBy(rows, row => row.viewer)
  const mayRead = await presentReaders(db, unread)
  return new Map(
    [...unread].map(([viewer, list]) => [
      viewer,
      list.filter(one => !KINDS[one.kind].isMessage || mayRead(viewer, one)).length,
    ]),
  )
}

/** Mentions and replies, and the followed threads that have some, in channels with unread messages only. */
async function unreadInChannels(stores: Stores, viewers: Username[]): Promise<Map<Username, Unread>> {
  const { rows } = await stores.db.query<{ viewer: Username } & Unread>(
    `with ${READABLE}
     select readable.viewer, count(*)::integer as unread,
            (count(distinct found.thread_id) filter (
               where exists (select from thread_follows follow
                              where follow.username = readable.viewer
                                and follow.root_id = found.thread_id
                                and follow.following)))::integer as threads
       from readable
       join channels channel on channel.id = readable.channel and channel.newest_ts > readable.last_read
      cross join lateral (${inChannel(['mention', 'reply'], 'item_ts > readable.last_read and not read', '$5')}) found
      group by readable.viewer`,
    [...readableChannelsValues(stores, viewers), stores.clock.now() - INBOX_KEPT, EVERYONE, MOST_COUNTED],
  )
  return new Map(rows.map(({ viewer, unread, threads }) => [viewer, { unread, threads }]))
}
