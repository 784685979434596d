-- outside of a transaction

-- The texts and client ids of before 0018_message_texts.sql, beside people who write. An interrupted try is begun again:
-- each statement finds what the last one has left.
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

-- A search of the version before goes newest first until its process is replaced.
drop index concurrently if exists messages_content_trgm;
drop index concurrently if exists messages_client_id_ts;
