-- outside of a transaction

-- Fills the files of messages from before 0060_files.sql without blocking writes, and then indexes them. An interrupted
-- attempt is repeated.
call fill_files();

drop index concurrently if exists files_original_name;
create index concurrently files_original_name on files using gin (original_name gin_trgm_ops);

-- Lists of the files of a channel, newest first.
drop index concurrently if exists messages_files_of_channel;
create index concurrently messages_files_of_channel on messages (channel, ts) where filename is not null;

analyze files;
