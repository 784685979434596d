-- Names of deleted accounts stay taken: DM ids carry names, and a newcomer would inherit the conversations.
create table deleted_names (
  username_key text primary key,
  deleted_ts double precision not null
);

-- Messages that were removed for good with their account. Open tabs learn of the removal through a bare tombstone for a
-- day (decisions, Delete account); unread counts leave them out for as long as somebody's watermark is older.
create table removed_messages (
  id bigint primary key,
  channel text not null,
  ts double precision not null,
  removed_ts double precision not null
);

create index removed_messages_changed on removed_messages (channel, removed_ts);
create index removed_messages_ts on removed_messages (channel, ts);
