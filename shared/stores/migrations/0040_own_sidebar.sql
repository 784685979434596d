-- A person's own order of their sidebar (interface 10.3).
create table sidebar_sections (
  id bigint generated always as identity primary key,
  username text not null references users (username) on update cascade on delete cascade,
  name text not null,
  position integer not null,
  collapsed boolean not null default false
);
create index sidebar_sections_of_person on sidebar_sections (username, position);

alter table channel_prefs
  add column level text not null default 'default',
  add column favourite boolean not null default false,
  add column section_id bigint references sidebar_sections (id) on delete set null,
  -- Among the channels of the same group; null: after them, in the usual order.
  add column position integer,
  add constraint channel_prefs_level check (level in ('default', 'all', 'mentions', 'nothing')) not valid;
