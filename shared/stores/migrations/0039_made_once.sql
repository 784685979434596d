-- Responses to requests with a `client_id` that made something, for a day: a repetition gets the first response.
create table made_once (
  username text not null references users (username) on update cascade on delete cascade,
  client_id uuid not null,
  path text not null,
  status integer not null,
  body jsonb not null,
  ts double precision not null default extract(epoch from clock_timestamp()),
  primary key (username, client_id)
);
create index made_once_ts on made_once (ts);
