-- Case-insensitive substring search: trigrams of messages that are not deleted, so that a deletion removes the entry.
create extension if not exists pg_trgm;

create index messages_content_trgm on messages using gin (content gin_trgm_ops)
  where deleted = 0 and content is not null;
-- For filters without a word, and words too short for a trigram.
create index messages_by_ts on messages (ts desc) where deleted = 0;
create index messages_by_sender on messages (lower(sender), ts desc) where deleted = 0;
