-- outside of a transaction

-- Finds the newest changes of the list of people.
drop index concurrently if exists users_rev;
create index concurrently users_rev on users (rev);
drop index concurrently if exists deleted_names_rev;
create index concurrently deleted_names_rev on deleted_names (rev) where rev is not null;
