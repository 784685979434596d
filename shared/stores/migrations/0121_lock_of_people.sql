-- works from 0.1.0
-- The number was also that of the lock of a backup: nobody could sign up or change a profile while one was made.
-- Commits must follow revisions (0044) across the change as well. A transaction that took a revision under the old number
-- has written one of these tables and ends first; one that waits for a table finds the new function.
lock table users, deleted_names in share mode;

create or replace function next_people_rev() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(2607041985);
  return nextval('people_rev');
end
$$;
