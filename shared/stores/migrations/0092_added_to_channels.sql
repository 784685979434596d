-- Being added to a channel is an item of the inbox.
alter table activity drop constraint activity_kind_check;
alter table activity
  add constraint activity_kind_check check (kind in ('mention', 'reply', 'reaction', 'added', 'reminder')) not valid;
