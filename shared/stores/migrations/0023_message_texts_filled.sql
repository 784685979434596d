-- outside of a transaction

-- Fills texts and client ids from before 0018_message_texts.sql, without blocking writes. An interrupted attempt is
-- repeated: each statement finds the remaining rows.
call fill_message_texts();

insert into client_ids (sender, client_id, message_id, ts)
select messages.sender, messages.client_id, messages.id, messages.ts
  from messages
  join users on users.username = messages.sender
 where messages.client_id is not null
   and messages.ts > extract(epoch from now()) - 24 * 3600
on conflict do nothing;

drop index concurrently if exists message_texts_trgm;
create index concurrently message_texts_trgm on message_texts using gin (content gin_trgm_ops);
analyze message_texts;

-- Searches of the previous version scan newest first until its processes are replaced.
drop index concurrently if exists messages_content_trgm;
drop index concurrently if exists messages_client_id_ts;
