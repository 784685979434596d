-- One row a channel, made with its first message: the channel clock. Every change to the channel's messages
-- takes its time here, under the row's lock, so that commits come in the order of their times (architecture 2.2).
-- Microseconds as an integer: adding one to a float would leave crumbs.
create table channels (
  id text primary key,
  clock_us bigint not null,
  newest_ts double precision not null default 0,
  -- How many messages were ever put here: unread counts are differences of it, never scans of history.
  message_count bigint not null default 0
);

-- Who takes part in a DM; made with its first message, so that a viewer's DMs are one range.
create table dm_participants (
  username text not null,
  channel text not null references channels (id) on delete cascade,
  primary key (username, channel)
);
