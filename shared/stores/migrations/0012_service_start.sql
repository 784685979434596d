-- Heartbeats of the running processes, every few seconds. A service start is a process that starts while none is alive;
-- only then are users set offline and calls ended (interface 1). Not in Redis, which may be emptied at any moment: the
-- next replica to restart would then end all calls.
create table replicas (
  replica uuid primary key,
  service text not null,
  -- Id of the run of the whole stack, if its starter has set one.
  stack text,
  beat_ts double precision not null
);

-- A row per service start.
create table service_epochs (
  epoch bigint generated always as identity primary key,
  started_ts double precision not null,
  opened_by text not null
);
