-- Data with a limited lifetime.

-- Retention by age leaves tombstones for open tabs, as account deletion does. These rows concern only tabs: unread
-- counts exclude trimmed messages already.
alter table removed_messages add column trimmed boolean not null default false;
create index removed_messages_trimmed on removed_messages (removed_ts) where trimmed;

-- The sharer's last request: shares of absent sharers end.
alter table screen_shares add column seen_ts double precision not null default extract(epoch from clock_timestamp());
