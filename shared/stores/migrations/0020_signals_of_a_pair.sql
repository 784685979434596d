-- outside of a transaction

-- How many signals of one sender wait for one recipient.
drop index concurrently if exists signals_of_pair;
create index concurrently signals_of_pair on signals (session_id, recipient, sender);

-- Tombstones that nobody is told of any more (services/janitor/trim-messages.ts): all of them, since unread counts do not
-- look at them.
drop index concurrently if exists removed_messages_age;
create index concurrently removed_messages_age on removed_messages (removed_ts);
drop index concurrently if exists removed_messages_trimmed;

-- Calls and shares that ended long ago.
drop index concurrently if exists calls_ended;
create index concurrently calls_ended on calls (ended_ts) where ended_ts is not null;
drop index concurrently if exists screen_shares_ended;
create index concurrently screen_shares_ended on screen_shares (ended_ts) where ended_ts is not null;
