-- works from 0.2.0
-- The janitor adds up the deliveries of each hook every minute (services/janitor/notify/tend-deliveries.ts): with their
-- states and sizes the index tells that alone, and 900,000 of them take 0.3 s instead of 7 s. In place of the index without.
create index deliveries_of_hook on deliveries (target_id, created_ts desc, id desc) include (state, bytes);
drop index deliveries_of_target;
