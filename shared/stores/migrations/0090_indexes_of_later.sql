-- outside of a transaction

-- The drafts of a person without removed ones; renaming and deleting a channel change the rows of it.
drop index concurrently if exists drafts_open;
create index concurrently drafts_open on drafts (username) where text <> '';
drop index concurrently if exists drafts_of_channel;
create index concurrently drafts_of_channel on drafts (channel);
drop index concurrently if exists scheduled_of_channel;
create index concurrently scheduled_of_channel on scheduled (channel);
