-- Recently ended sessions, by the SHA-256 of their id: read while Redis is down, so that a process does not serve a
-- session it knows after its end (shared/http/sessions.ts).
create table ended_sessions (
  id_hash bytea primary key,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);
