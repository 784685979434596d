import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { type ItemKind, itemsOfSenders, SINCE } from './item-kind.ts'

/** Reminders of saved messages. */
const remindersOf = `
  select activity.kind, activity.channel, activity.message_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id, coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = viewer.name
     and activity.kind = 'reminder'
     and activity.ts > ${SINCE}
     and message.deleted = 0
     and ${IS_NOT_REMOVED}`

export const reminderItems: ItemKind = { ofViewer: remindersOf, isMessage: true, items: itemsOfSenders }
