-- Acts of administration (interface 10.11). Names stay as they were: an entry outlives its people.
create table audit_log (
  id bigint generated always as identity primary key,
  ts double precision not null default extract(epoch from clock_timestamp()),
  actor text not null,
  actor_kind text not null check (actor_kind in ('person', 'bot', 'operator', 'system')),
  action text not null,
  target text,
  channel text,
  detail jsonb not null default '{}',
  address inet
);
create index audit_log_ts on audit_log (ts desc);
create index audit_log_actor on audit_log (actor, ts desc);
create index audit_log_target on audit_log (target, ts desc);

-- Codes of the link that makes the first owner, by their SHA-256. Only the newest counts.
create table claim_codes (
  code_hash bytea primary key,
  made_ts double precision not null
);

-- Values chosen in the client; they win over those of the settings file.
create table workspace_settings (
  key text primary key,
  value jsonb not null,
  changed_by text not null,
  changed_ts double precision not null
);
