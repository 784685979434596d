/**
 * SQL expression: up to here the person's watermark was set by joining, not by reading. Requires `read_watermarks marker`
 * and `users`, their account. Rows of 0.1.0 may have no mark of their joining.
 */
export const JOINED_UP_TO = 'greatest(marker.joined_ts, users.created_ts)'

/**
 * SQL condition: others may see what the person has read (preference `share_read`); bots read nothing. Requires
 * `read_watermarks marker` and `users`, their account. The list of those who hide it has an index of its own and is read once per statement.
 */
export const SHARES_READ = `users.kind = 'person'
  and marker.username not in (select username from preferences where not share_read)`
