-- Calls and their invited users (interface 2.8, 3.1). At most one running call per channel: the unique index decides
-- between two users who call each other at the same moment.
create table calls (
  call_id uuid primary key,
  channel text not null,
  initiator text not null,
  state text not null check (state in ('ringing', 'active', 'ended', 'rejected')),
  started_ts double precision not null,
  answered_ts double precision,
  ended_ts double precision,
  screenshare_user text not null default ''
);

create unique index calls_living on calls (channel) where state in ('ringing', 'active');
create index calls_ringing on calls (started_ts) where state = 'ringing';

create table call_participants (
  call_id uuid not null references calls (call_id) on delete cascade,
  username text not null,
  role text not null check (role in ('initiator', 'participant')),
  state text not null check (state in ('pending', 'accepted', 'rejected', 'left')),
  invited_ts double precision not null,
  joined_ts double precision,
  left_ts double precision,
  -- The last time the participant read the call's state: the heartbeat of a call.
  seen_ts double precision not null,
  join_order bigint generated always as identity,
  primary key (call_id, username)
);

create index call_participants_pending on call_participants (username, invited_ts) where state = 'pending';

-- Signals of calls and of standalone screen shares, keyed by either's id (interface 2.8).
create table signals (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  sender text not null,
  recipient text not null,
  type text not null check (type in ('offer', 'answer', 'ice_candidate')),
  -- The payload as received; jsonb would refuse \u0000 and normalise the text.
  payload json not null,
  ts double precision not null
);

create index signals_inbox on signals (session_id, recipient, id);
create index signals_ts on signals (ts);

-- The legacy media relay (interface 4.10): bounded in number, size and age.
create table media_chunks (
  seq bigint generated always as identity primary key,
  session_id uuid not null,
  sender text not null,
  is_init boolean not null default false,
  mime_type text,
  data bytea not null,
  ts double precision not null
);

-- Encoded media does not compress.
alter table media_chunks alter column data set storage external;

create index media_chunks_of_sender on media_chunks (session_id, sender, seq);
create index media_chunks_ts on media_chunks (ts);
