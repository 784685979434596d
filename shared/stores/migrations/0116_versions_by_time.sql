-- outside of a transaction

-- Finds versions that are to be hidden or removed.
drop index concurrently if exists message_edits_kept;
create index concurrently message_edits_kept on message_edits (kept_ts);
