/**
 * SQL condition: others may see what the person has read (preference `share_read`). Requires `read_watermarks marker`. The
 * list of those who hide it has an index of its own and is read once per statement.
 */
export const SHARES_READ = 'marker.username not in (select username from preferences where not share_read)'
