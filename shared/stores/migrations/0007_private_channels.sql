-- Invite-only channels (interface 2.2). Members are in join order.
create table private_channels (
  id bigint generated always as identity primary key,
  name text not null,
  created_by text not null,
  created_ts double precision not null
);

create table private_channel_members (
  channel_id bigint not null references private_channels (id),
  username text not null,
  joined_ts double precision not null,
  history_start_ts double precision,
  join_order bigint generated always as identity,
  primary key (channel_id, username)
);

create index private_channel_members_user on private_channel_members (username, channel_id);
