-- Scans under a lock that permits writes. The valid constraint spares `set not null` a scan of its own.
alter table users validate constraint users_id_given;
alter table users validate constraint users_role;
alter table users validate constraint users_state_word;
alter table users validate constraint users_kind;
alter table users alter column id set not null;
alter table users drop constraint users_id_given;
drop procedure fill_user_ids;
