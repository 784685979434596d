-- outside of a transaction

drop index concurrently if exists channel_prefs_section;
create index concurrently channel_prefs_section on channel_prefs (section_id) where section_id is not null;
alter table channel_prefs validate constraint channel_prefs_level;
