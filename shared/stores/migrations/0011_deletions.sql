-- Names of deleted accounts stay reserved: DM ids contain names, and a new account would inherit the conversations.
create table deleted_names (
  username_key text primary key,
  deleted_ts double precision not null
);

-- Messages removed permanently with their account. Open tabs learn of the removal from a bare tombstone for a day
-- (decisions, Delete account); unread counts exclude them while any watermark is older.
create table removed_messages (
  id bigint primary key,
  channel text not null,
  ts double precision not null,
  removed_ts double precision not null
);

create index removed_messages_changed on removed_messages (channel, removed_ts);
create index removed_messages_ts on removed_messages (channel, ts);
