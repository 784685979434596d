import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { EVERYONE_PARAMETER, type ItemKind, itemsOfSenders, SINCE } from './item-kind.ts'

/** Mentions of a name in a channel, by others. */
const mentionsOf = (name: string, condition = 'true') => `
  select 'mention' as kind, mention.message_id, message.thread_id, mention.ts, mention.ts as item_ts,
         null::bigint as activity_id,
         mention.ts <= readable.last_read
           or exists (select from activity
                       where activity.message_id = mention.message_id
                         and activity.kind = 'mention'
                         and activity.username = readable.viewer) as read
    from message_mentions mention
    join messages message on message.id = mention.message_id
   where mention.channel = readable.channel
     and mention.username = ${name}
     and mention.ts > ${SINCE}
     and mention.ts >= readable.history_start
     and message.sender <> readable.viewer
     and ${condition}
     and ${IS_NOT_REMOVED}`

export const mentionItems: ItemKind = {
  inChannel: [mentionsOf('readable.viewer'), mentionsOf(EVERYONE_PARAMETER, 'readable.joined')],
  isMessage: true,
  items: itemsOfSenders,
}
