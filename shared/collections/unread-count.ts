import type { GlobalCollection } from './collection.ts'
import { visibleDms } from './dms.ts'

/** Unread messages in the DMs that the viewer sees (decisions, Counts). */
export const unreadCount: GlobalCollection<'unread_count'> = {
  event: 'unread_count',
  scope: 'global',
  minInterval: 1_000,

  async read({ db }, viewers) {
    const payloads = new Map(viewers.map(viewer => [viewer, { count: 0 }]))
    for (const row of await visibleDms(db, viewers)) payloads.get(row.viewer)!.count += row.unread
    return payloads
  },
}
