-- Emoji of the workspace (interface 10.31). `file` is the stored picture.
create table custom_emoji (
  name text primary key,
  file text not null,
  animated boolean not null,
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null
);
create index custom_emoji_maker on custom_emoji (created_by);

-- A single row that rises with each change: clients then read the list again. Also the lock of those who change it.
create table emoji_revision (
  only_row boolean primary key default true check (only_row),
  rev bigint not null default 0
);
insert into emoji_revision default values;
