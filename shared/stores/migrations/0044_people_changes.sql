-- Changes of the list of people (interface 10.20). A revision is given under a lock that lasts until the commit, so that
-- commits follow revisions: a reader who knows revision r has seen every change up to r.
create function next_people_rev() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(2607041982);
  return nextval('people_rev');
end
$$;

-- Rows are locked before the revision everywhere, so that no deadlock is possible. An insert may wait for a concurrent
-- one of the same name: it takes its revision afterwards.
create function note_person_change() returns trigger language plpgsql as $$
begin
  if (new.username, new.display_name, new.title, new.role, new.kind, new.state, new.timezone)
     is distinct from
     (old.username, old.display_name, old.title, old.role, old.kind, old.state, old.timezone) then
    new.rev := next_people_rev();
    new.rev_ts := extract(epoch from clock_timestamp());
  end if;
  return new;
end
$$;

create trigger users_changed
before update of username, display_name, title, role, kind, state, timezone on users
for each row execute function note_person_change();

create function note_new_person() returns trigger language plpgsql as $$
begin
  update users
     set rev = next_people_rev(), rev_ts = extract(epoch from clock_timestamp())
   where username = new.username;
  return null;
end
$$;

create trigger users_added
after insert on users
for each row execute function note_new_person();

alter table users alter column rev drop default, alter column rev_ts drop default;

-- Deletions since this migration, for clients that list the person.
alter table deleted_names
  add column rev bigint,
  add column rev_ts double precision;
