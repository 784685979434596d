-- Sends at a later time, at most 100 waiting ones of a person, and drafts on all devices (interface 10.29).
create table scheduled (
  id bigint generated always as identity primary key,
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  text text not null,
  reply_to_id bigint,
  send_ts double precision not null,
  created_ts double precision not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  failed_why text,
  -- The time of sending, or of the failure.
  ended_ts double precision,
  -- The failure was read in the inbox.
  read_ts double precision,
  message_id bigint
);
create index scheduled_due on scheduled (send_ts) where state = 'waiting';
create index scheduled_of_person on scheduled (username, state, send_ts);
create index scheduled_ended on scheduled (ended_ts) where state <> 'waiting';

-- A draft that was removed stays as an empty text for some time, so that an older write loses.
create table drafts (
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  thread_id bigint not null default 0,
  text text not null,
  updated_ts double precision not null,
  primary key (username, channel, thread_id)
);
create index drafts_removed on drafts (updated_ts) where text = '';
