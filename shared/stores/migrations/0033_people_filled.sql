-- outside of a transaction

-- An interrupted attempt is repeated: the procedure finds the remaining rows.
call fill_user_ids();

drop index concurrently if exists users_id;
create unique index concurrently users_id on users (id);
drop index concurrently if exists users_state;
create index concurrently users_state on users (state, username_key);
