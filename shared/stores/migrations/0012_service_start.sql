-- Which processes of the service live: each says so every few seconds. A start of the service is a process that comes
-- up while none lives; only then are people set offline and calls ended (interface 1). Here and not in Redis: that may be
-- emptied at any moment, and the next replica to restart would hang up everybody's calls.
create table replicas (
  replica uuid primary key,
  service text not null,
  -- One run of the whole stack, where whoever started it has given it a name.
  stack text,
  beat_ts double precision not null
);

-- A row a start of the service.
create table service_epochs (
  epoch bigint generated always as identity primary key,
  started_ts double precision not null,
  opened_by text not null
);
