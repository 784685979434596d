-- outside of a transaction

-- Accounts whose rows are still being rewritten by the janitor. Reads hide them from the moment the account is gone: this
-- table is empty or holds a few rows, so that every read can ask it.
create table if not exists account_deletions (
  username text primary key,
  kind text not null check (kind in ('soft', 'hard')),
  deleted_ts double precision not null,
  -- When a janitor takes it up next. In the future while one works on it.
  due_ts double precision not null,
  -- Private channels that still get the line about the departure.
  left_channels bigint[] not null,
  -- The last system line that was looked at.
  lines_after bigint not null default 0
);

-- The same as before, without the accounts that are being deleted.
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

-- A message's list of names without the accounts that are being deleted; null when nothing is left of it.
create or replace function shown_mentions(mentions text) returns text
  language sql stable parallel safe
  return (
    select '["' || string_agg(name, '","' order by place) || '"]'
      from json_array_elements_text(mentions::json) with ordinality as mentioned (name, place)
     where name not in (select username from account_deletions)
  );

-- By which the rows of one person are found, in batches.
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
