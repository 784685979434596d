-- Details of a message for extensions (interface 10.22). Null for nearly all; the new column rewrites nothing.
alter table messages add column extra jsonb;
