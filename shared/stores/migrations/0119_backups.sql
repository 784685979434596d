-- Backups that were asked for, made and proven (docs/decisions.md, Backups). Neither table is part of a backup.
create table backups (
  id bigint generated always as identity primary key,
  -- Null: due by the setting backup_hour.
  asked_by text,
  asked_ts double precision not null,
  started_ts double precision,
  done_ts double precision,
  path text,
  -- Added to the target by this backup.
  bytes bigint,
  ok boolean not null default false,
  -- A restore was tried, and every row was equal.
  verified_ts double precision,
  seconds_to_restore double precision,
  report jsonb not null default '{}'
);
create index backups_by_time on backups (asked_ts);
-- At most one row waits.
create unique index backups_waiting on backups ((started_ts is null)) where started_ts is null;

-- The state of BACKUP_DIR as the janitor found it, in a single row.
create table backup_target (
  one boolean primary key default true check (one),
  -- Null without BACKUP_DIR.
  folder text,
  -- Why no backups are made.
  problem text,
  since_ts double precision not null,
  -- When the owners were last told that something is wrong.
  warned_ts double precision
);
