-- What a person's tabs last said (interface 2.7). Persisted, because an override outlives every process.
create table presence (
  username text primary key references users (username) on delete cascade,
  state text not null,
  last_seen double precision not null,
  override text
);

create index presence_last_seen on presence (last_seen);
