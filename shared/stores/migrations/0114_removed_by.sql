-- outside of a transaction

-- Renaming an account changes its name in the details of the messages that it removed. Indexes those alone.
drop index concurrently if exists messages_removed_by;
create index concurrently messages_removed_by on messages ((extra ->> 'removed_by')) where extra ? 'removed_by';
