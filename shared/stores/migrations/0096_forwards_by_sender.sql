-- outside of a transaction

-- Renaming and deleting an account change its name in the details of forwarded messages. Indexes those alone.
drop index concurrently if exists messages_forwarded_sender;
create index concurrently messages_forwarded_sender on messages ((extra -> 'forward' ->> 'sender')) where extra ? 'forward';
