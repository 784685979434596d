-- Versions of texts from before keep_edits was off stay hidden when it is on again (interface 10.32). `kept_ts`: when the
-- version was replaced. Constant for the rows of before, so that the table is not written anew.
alter table message_edits add column kept_ts double precision not null default 0;
alter table message_edits alter column kept_ts set default extract(epoch from clock_timestamp());

-- Versions kept before this time are hidden, and removed at night; a single row.
create table hidden_versions (
  one boolean primary key default true check (one),
  before_ts double precision not null
);
insert into hidden_versions (before_ts) values (0);
