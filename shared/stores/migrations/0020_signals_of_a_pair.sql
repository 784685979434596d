-- outside of a transaction

-- Counts the waiting signals per sender and recipient.
drop index concurrently if exists signals_of_pair;
create index concurrently signals_of_pair on signals (session_id, recipient, sender);

-- Finds expired tombstones (services/janitor/trim-messages.ts): all of them, since unread counts do not read them.
drop index concurrently if exists removed_messages_age;
create index concurrently removed_messages_age on removed_messages (removed_ts);
drop index concurrently if exists removed_messages_trimmed;

-- Find calls and shares that ended long ago.
drop index concurrently if exists calls_ended;
create index concurrently calls_ended on calls (ended_ts) where ended_ts is not null;
drop index concurrently if exists screen_shares_ended;
create index concurrently screen_shares_ended on screen_shares (ended_ts) where ended_ts is not null;
