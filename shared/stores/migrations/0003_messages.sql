-- All messages of all channels, with ids unique across channels (interface 2.3).
create table messages (
  id bigint generated always as identity primary key,
  channel text not null references channels (id) on delete cascade,
  -- Position of the message in its channel, from 1.
  ord bigint not null,
  sender text not null,
  content text,
  filename text,
  ts double precision not null,
  edited smallint not null default 0,
  edited_ts double precision,
  deleted smallint not null default 0,
  deleted_ts double precision,
  reply_to_id bigint,
  reactions_ts double precision,
  mentions text,
  content_type text not null default 'text',
  -- Identifies repeated sends (decisions, Idempotent send).
  client_id uuid,
  -- The greatest of the four times: a tab's cursor is a single growing number, which allows a range scan.
  changed_ts double precision not null
    generated always as (greatest(ts, edited_ts, deleted_ts, reactions_ts)) stored
);

create index messages_changed on messages (channel, changed_ts);
create unique index messages_ts on messages (channel, ts);
create unique index messages_client_id on messages (sender, client_id) where client_id is not null;
create unique index messages_filename on messages (filename) where filename is not null;
-- The few messages that unread counts subtract.
create index messages_deleted on messages (channel, ts) where deleted = 1;

create table reactions (
  message_id bigint not null references messages (id) on delete cascade,
  emoji text not null,
  username text not null,
  ts double precision not null,
  primary key (message_id, emoji, username)
);

-- A row per name (or `@everyone`) mentioned in a message that is not deleted; unread mentions are an index range.
create table message_mentions (
  channel text not null,
  username text not null,
  ts double precision not null,
  message_id bigint not null references messages (id) on delete cascade,
  primary key (channel, username, ts)
);
create index message_mentions_message on message_mentions (message_id);

-- JSON text of {emoji: [username, …]}, emojis and names in order of first use; null when there are none.
create function reactions_of(message bigint) returns text
  language sql stable parallel safe
  return (
    select json_object_agg(emoji, usernames order by first_ts, emoji)::text
      from (
        select emoji, json_agg(username order by ts, username) as usernames, min(ts) as first_ts
          from reactions
         where message_id = message
         group by emoji
      ) by_emoji
  );
