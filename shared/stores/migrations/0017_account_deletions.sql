-- outside of a transaction

-- Accounts whose rows the janitor is still rewriting; reads hide these rows from the moment of deletion. The table has
-- few rows or none, so that every read can check it.
create table if not exists account_deletions (
  username text primary key,
  kind text not null check (kind in ('soft', 'hard')),
  deleted_ts double precision not null,
  -- Time at which a janitor may claim it; in the future while one works on it.
  due_ts double precision not null,
  -- Private channels that still need the "left the channel" line.
  left_channels bigint[] not null,
  -- Id of the last checked system line.
  lines_after bigint not null default 0
);

-- As before, without accounts in deletion.
create or replace function reactions_of(message bigint) returns text
  language sql stable parallel safe
  return (
    select json_object_agg(emoji, usernames order by first_ts, emoji)::text
      from (
        select emoji, json_agg(username order by ts, username) as usernames, min(ts) as first_ts
          from reactions
         where message_id = message
           and username not in (select username from account_deletions)
         group by emoji
      ) by_emoji
  );

-- A message's list of names without accounts in deletion; null if it becomes empty.
create or replace function shown_mentions(mentions text) returns text
  language sql stable parallel safe
  return (
    select '["' || string_agg(name, '","' order by place) || '"]'
      from json_array_elements_text(mentions::json) with ordinality as mentioned (name, place)
     where name not in (select username from account_deletions)
  );

-- Indexes that find a user's rows in batches.
drop index concurrently if exists reactions_user;
create index concurrently reactions_user on reactions (username);
drop index concurrently if exists message_mentions_user;
create index concurrently message_mentions_user on message_mentions (username);
drop index concurrently if exists messages_deleted_by_sender;
create index concurrently messages_deleted_by_sender on messages (sender) where deleted = 1;
drop index concurrently if exists messages_system;
create index concurrently messages_system on messages (id) where content_type = 'system';
drop index concurrently if exists call_participants_user;
create index concurrently call_participants_user on call_participants (username);
