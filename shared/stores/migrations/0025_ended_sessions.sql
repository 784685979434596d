-- Sessions that were ended lately, by the SHA-256 of their id: asked while Redis does not answer, so that a process that has
-- served a session before does not serve it after its end (shared/http/sessions.ts).
create table ended_sessions (
  id_hash bytea primary key,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);
