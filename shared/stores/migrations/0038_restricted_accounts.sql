-- outside of a transaction

-- Accounts that cannot read every public channel: few, and read once per statement.
drop index concurrently if exists users_restricted;
create index concurrently users_restricted on users (username) where role = 'guest' or state <> 'active';
