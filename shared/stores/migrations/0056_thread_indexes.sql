-- outside of a transaction

-- The replies of a thread.
drop index concurrently if exists messages_thread;
create index concurrently messages_thread on messages (thread_id, ts) where thread_id is not null;

-- Replies whose thread the janitor still has to fill in; empty afterwards.
drop index concurrently if exists messages_unthreaded;
create index concurrently messages_unthreaded on messages (id) where reply_to_id is not null and thread_id is null;
