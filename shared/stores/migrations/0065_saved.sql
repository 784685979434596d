-- Saved messages with reminders (interface 10.28). At most 1,000 open ones of a person.
create table saved (
  username text not null references users (username) on update cascade on delete cascade,
  message_id bigint not null references messages (id) on delete cascade,
  saved_ts double precision not null,
  remind_ts double precision,
  reminded_ts double precision,
  done_ts double precision,
  note text,
  primary key (username, message_id)
);
create index saved_of_message on saved (message_id);
create index saved_due on saved (remind_ts) where remind_ts is not null and reminded_ts is null and done_ts is null;
create index saved_open on saved (username) where done_ts is null;

-- Revisions of what only the person sees: saved messages and scheduled sends, and drafts. Locked by each of their
-- changes, so that limits hold.
create table own_lists (
  username text primary key references users (username) on update cascade on delete cascade,
  rev bigint not null default 0,
  drafts_rev bigint not null default 0
);

alter table activity drop constraint activity_kind_check;
alter table activity
  add constraint activity_kind_check check (kind in ('mention', 'reply', 'reaction', 'reminder')) not valid;
