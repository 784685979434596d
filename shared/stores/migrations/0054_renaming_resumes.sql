-- Written messages from this time on have been moved: 'infinity' for none, '-infinity' for all, null before the first
-- attempt has found the new name free.
alter table account_renames add column before_ts double precision;
