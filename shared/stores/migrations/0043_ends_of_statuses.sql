-- outside of a transaction

drop index concurrently if exists users_status_until;
create index concurrently users_status_until on users (status_until) where status_until is not null;
