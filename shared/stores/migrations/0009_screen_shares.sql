-- Standalone screen shares (interface 3.2). At most one active share per user and channel: a new one ends the old one.
create table screen_shares (
  share_id uuid primary key,
  channel text not null,
  sharer text not null,
  started_ts double precision not null,
  ended_ts double precision,
  state text not null check (state in ('active', 'ended'))
);

create unique index screen_shares_active on screen_shares (channel, sharer) where state = 'active';
