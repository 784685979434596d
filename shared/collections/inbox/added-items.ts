import type { Username } from '#shared/domain/units.ts'
import { type ItemKind, messageItem, SINCE } from './item-kind.ts'

/** Lines by which others added the viewer to a channel. */
const addings = `
  select activity.kind, activity.message_id, null::bigint as thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         activity.ts <= readable.last_read or coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'added'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0`

export const addedItems: ItemKind = {
  inChannel: [addings],
  isMessage: true,
  items: async (_db, _candidates, texts) => candidate => {
    const line = texts.get(candidate.message_id)
    return line && messageItem(candidate, line, { actors: [adderIn(line.content)], count: 1 })
  },
}

/** The line begins with the name. */
const adderIn = (line: string): Username => line.split(' ', 1)[0]!
