import { type PartialCollection, readWhole } from './collection.ts'
import { dms } from './dms.ts'

/** The number of unread messages in the viewer's visible DMs (interface 4.2): the sum over the entries of `dms`. */
export const unreadCount: PartialCollection<'unread_count'> = {
  event: 'unread_count',
  scope: 'global',
  minInterval: 1_000,

  read: (stores, viewers) => readWhole(unreadCount, stores, viewers),
  readPart: dms.readPart,

  payloadOf(entries) {
    let count = 0
    for (const { unread } of entries.values()) count += unread
    return { count }
  },
}
