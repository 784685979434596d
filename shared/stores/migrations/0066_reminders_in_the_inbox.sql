-- outside of a transaction

drop index concurrently if exists activity_reminders;
create index concurrently activity_reminders on activity (username, ts) where kind = 'reminder';
alter table activity validate constraint activity_kind_check;
