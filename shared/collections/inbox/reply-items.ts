import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { EVERYONE_PARAMETER, type ItemKind, itemsOfSenders, SINCE } from './item-kind.ts'

/** A reply that mentions the viewer is listed as a mention. */
const repliesTo = `
  select activity.kind, activity.message_id, message.thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         activity.ts <= readable.last_read or coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'reply'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0
     and ${IS_NOT_REMOVED}
     and (message.mentions is null or not message.mentions::jsonb ?| array[readable.viewer, case when readable.joined then ${EVERYONE_PARAMETER} end])`

export const replyItems: ItemKind = { inChannel: [repliesTo], isMessage: true, items: itemsOfSenders }
