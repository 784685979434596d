-- What is kept for a while only.

-- Retention by age tells open tabs what it has removed, as the deletion of an account does. Such a row is for the tabs
-- alone: what is trimmed is out of the unread counts already.
alter table removed_messages add column trimmed boolean not null default false;
create index removed_messages_trimmed on removed_messages (removed_ts) where trimmed;

-- The last time the sharer looked after the share: a share whose sharer has vanished ends.
alter table screen_shares add column seen_ts double precision not null default extract(epoch from clock_timestamp());
