-- Watermarks only move forward (interface 2.5). Beside the time they hold the position of the last read message, so
-- that an unread count is a subtraction.
create table read_watermarks (
  channel text not null,
  username text not null,
  last_read_ts double precision not null,
  last_read_ord bigint not null,
  primary key (channel, username)
);

create index read_watermarks_user on read_watermarks (username, channel);

create table hidden_dms (
  username text not null,
  channel text not null,
  hidden_ts double precision not null,
  primary key (username, channel)
);
