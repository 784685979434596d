-- outside of a transaction

-- The counts of people in a channel also read decisions to leave.
drop index concurrently if exists channel_memberships_channel;
create index concurrently channel_memberships_channel on channel_memberships (channel);
drop index concurrently if exists channel_memberships_joined;

-- Filters of the audit log ignore case.
drop index concurrently if exists audit_log_actor_key;
create index concurrently audit_log_actor_key on audit_log (lower(actor), ts desc);
drop index concurrently if exists audit_log_target_key;
create index concurrently audit_log_target_key on audit_log (lower(target), ts desc);
drop index concurrently if exists audit_log_target;
