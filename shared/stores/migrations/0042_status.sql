-- The status of a person, shown beside the name until its time (interface 10.24). Null in `status_until`: until changed.
alter table users
  add column status_emoji text,
  add column status_text text,
  add column status_until double precision,
  add column status_quiet boolean not null default false;

create function note_status_change() returns trigger language plpgsql as $$
begin
  if (new.status_emoji, new.status_text, new.status_until, new.status_quiet)
     is distinct from
     (old.status_emoji, old.status_text, old.status_until, old.status_quiet) then
    new.rev := next_people_rev();
    new.rev_ts := extract(epoch from clock_timestamp());
  end if;
  return new;
end
$$;

create trigger users_status_changed
before update of status_emoji, status_text, status_until, status_quiet on users
for each row execute function note_status_change();
