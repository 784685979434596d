-- outside of a transaction

-- Finds the replies to a message.
drop index concurrently if exists messages_replies;
create index concurrently messages_replies on messages (reply_to_id, ts) where reply_to_id is not null;

-- Replies and reactions of the last 90 days.
insert into activity (username, kind, channel, message_id, ts)
select parent.sender, 'reply', message.channel, message.id, message.ts
  from messages message
  join messages parent on parent.id = message.reply_to_id
 where message.reply_to_id is not null
   and message.deleted = 0
   and message.ts > extract(epoch from now()) - 90 * 24 * 3600
   and parent.content_type = 'text'
   and parent.sender not in (message.sender, 'Deleted User')
on conflict do nothing;

insert into activity (username, kind, channel, message_id, ts)
select message.sender, 'reaction', message.channel, message.id, max(reactions.ts)
  from messages message
  join reactions on reactions.message_id = message.id
 where message.deleted = 0
   and message.reactions_ts > extract(epoch from now()) - 90 * 24 * 3600
   and message.content_type = 'text'
   and message.sender not in (reactions.username, 'Deleted User')
 group by message.id
on conflict do nothing;

analyze activity;
