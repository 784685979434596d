-- works from 0.2.0
-- The last use of a command and why it failed, for administrators (interface 19.6).

alter table slash_commands
  add column last_used_ts double precision,
  -- `status_<n>`, `invalid_payload`, or why nothing was received (shared/jobs/outgoing-job.ts). Null: it answered.
  add column last_error text;
