-- Groups of people under one handle (interface 10.25). Handles share the names of people.
create table user_groups (
  id bigint generated always as identity primary key,
  handle text not null,
  handle_key text not null unique generated always as (lower(handle)) stored,
  name text not null,
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null
);
create index user_groups_maker on user_groups (created_by);

create table group_members (
  group_id bigint not null references user_groups (id) on delete cascade,
  username text not null references users (username) on update cascade on delete cascade,
  primary key (group_id, username)
);
create index group_members_user on group_members (username);

-- A single row that rises with each change of a group: clients then read the list again. A row instead of a
-- sequence, because its new value must appear with the commit.
create table groups_revision (
  only_row boolean primary key default true check (only_row),
  rev bigint not null default 0
);
insert into groups_revision default values;

-- Triggers, because deleting and renaming an account change members by foreign keys.
create function note_group_change() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    update groups_revision set rev = rev + 1;
  end if;
  return null;
end
$$;

create trigger groups_inserted after insert on user_groups
referencing new table as changed for each statement execute function note_group_change();
create trigger groups_updated after update on user_groups
referencing new table as changed for each statement execute function note_group_change();
create trigger groups_deleted after delete on user_groups
referencing old table as changed for each statement execute function note_group_change();
create trigger group_members_inserted after insert on group_members
referencing new table as changed for each statement execute function note_group_change();
create trigger group_members_updated after update on group_members
referencing new table as changed for each statement execute function note_group_change();
create trigger group_members_deleted after delete on group_members
referencing old table as changed for each statement execute function note_group_change();
