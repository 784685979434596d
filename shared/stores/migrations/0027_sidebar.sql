-- Where a person marked a channel as unread: counts begin at this message instead of after the watermark, which never
-- moves back. Both columns are null without a mark.
alter table read_watermarks
  add column unread_from_ts double precision,
  add column unread_from_ord bigint;

-- A person's choices for a channel. A mute for ever ends at 'Infinity'.
create table channel_prefs (
  username text not null references users (username) on delete cascade,
  channel text not null,
  muted_until double precision,
  primary key (username, channel)
);
