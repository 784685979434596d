-- The last report of a user's tabs (interface 2.7). Persistent, because an override outlives processes.
create table presence (
  username text primary key references users (username) on delete cascade,
  state text not null,
  last_seen double precision not null,
  override text
);

create index presence_last_seen on presence (last_seen);
