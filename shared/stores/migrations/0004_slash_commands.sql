-- works from 0.2.0
-- Commands of the workspace (interface 19.6). Deleting a bot deletes its commands.

create table slash_commands (
  name text primary key,
  url text not null,
  -- Sealed for `slash_commands:<name>:secret` and `…:verify_token` (shared/stores/secrets.ts).
  secret_enc bytea not null,
  verify_token_enc bytea not null,
  bot text not null references users (username) on update cascade on delete cascade,
  description text,
  usage text,
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null
);
create index slash_commands_bot on slash_commands (bot);
create index slash_commands_maker on slash_commands (created_by);

-- A single row that rises with each change of the list: clients then read it again.
create table command_revision (
  only_row boolean primary key default true check (only_row),
  rev bigint not null default 0
);
insert into command_revision default values;

create function raise_command_revision() returns trigger language plpgsql as $$
begin
  update command_revision set rev = rev + 1;
  return null;
end
$$;

-- Also when a bot goes; not by statement, which the deletion of any account is. A new name of the bot or the maker changes nothing that readers see.
create trigger slash_commands_revision
  after insert or delete or update of url, description, usage on slash_commands
  for each row execute function raise_command_revision();
