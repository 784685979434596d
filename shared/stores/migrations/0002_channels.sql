-- A row per channel, created with its first message: the channel clock. Every change to the channel's messages takes
-- its time here, under the row's lock, so that commits are in the order of their times (architecture 2.2). Integer
-- microseconds, since adding one to a float is inexact.
create table channels (
  id text primary key,
  clock_us bigint not null,
  newest_ts double precision not null default 0,
  -- Messages ever posted: unread counts are differences of it, without scans of history.
  message_count bigint not null default 0
);

-- Participants of DMs, created with the first message; a viewer's DMs are an index range.
create table dm_participants (
  username text not null,
  channel text not null references channels (id) on delete cascade,
  primary key (username, channel)
);
