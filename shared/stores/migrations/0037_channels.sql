-- Properties, managers and memberships of channels (interface 10.14). A row of properties exists for each public channel
-- made here, for any other channel from its first property on.
create table channel_properties (
  channel text primary key,
  kind text not null check (kind in ('public', 'private', 'dm')),
  -- Public, and not a channel of the settings file.
  made_here boolean not null default false,
  name text,
  topic text,
  description text,
  posting text not null default 'everyone' check (posting in ('everyone', 'managers')),
  is_default boolean not null default false,
  archived_ts double precision,
  archived_by text,
  retention_days integer,
  created_by text,
  created_ts double precision
);
create index channel_properties_kind on channel_properties (kind, archived_ts);
-- Ids are unique without regard to case.
create unique index channel_properties_key on channel_properties (lower(channel));

create table channel_managers (
  channel text not null,
  username text not null references users (username) on update cascade on delete cascade,
  primary key (channel, username)
);
create index channel_managers_user on channel_managers (username);

-- Decisions to join or leave a public channel. Without a row, default channels are joined, except by guests.
create table channel_memberships (
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  joined boolean not null,
  changed_ts double precision not null,
  primary key (username, channel)
);
create index channel_memberships_joined on channel_memberships (channel) where joined;

-- 'everyone', 'managers', or 'nobody' in an archived channel. Beside the clock, whose lock every send takes: a send
-- that waits for the clock sees a change that came first.
alter table channels add column posting text not null default 'everyone';

-- Private channels are managed by those who made them.
insert into channel_managers (channel, username)
select 'private:' || private.id, member.username
  from private_channels private
  join private_channel_members member on member.channel_id = private.id and member.username = private.created_by
  join users using (username);
