import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Span } from '#shared/domain/search-dates.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Messages counted per day at most. */
export const MOST_COUNTED = 999

/** Messages that are not deleted, per span in order: an index range each. */
export async function countsWithin(
  db: Db,
  { id, historyStart }: ReadableChannel,
  spans: readonly Span[],
): Promise<number[]> {
  const { rows } = await db.query<{ count: number }>(
    `select counted.count
       from unnest($2::double precision[], $3::double precision[]) with ordinality as span (start_ts, end_ts, place)
      cross join lateral (
            select count(*) as count
              from (select
                      from messages message
                     where message.channel = $1
                       and message.ts >= greatest(span.start_ts, $4)
                       and message.ts < span.end_ts
                       and message.deleted = 0
                       and ${IS_NOT_REMOVED}
                     limit $5) found) counted
      order by span.place`,
    [id, spans.map(span => span.start), spans.map(span => span.end), historyStart, MOST_COUNTED],
  )
  return rows.map(row => row.count)
}

/** Times of the oldest and the newest message that is not deleted; null in an empty channel. */
export async function endsOf(
  db: Db,
  { id, historyStart }: ReadableChannel,
): Promise<{ first_ts: Seconds | null; last_ts: Seconds | null }> {
  const end = (direction: 'asc' | 'desc') => `
    (select message.ts
       from messages message
      where message.channel = $1 and message.ts >= $2 and message.deleted = 0 and ${IS_NOT_REMOVED}
      order by message.ts ${direction}
      limit 1)`
  const { rows } = await db.query<{ first_ts: Seconds | null; last_ts: Seconds | null }>(
    `select ${end('asc')} as first_ts, ${end('desc')} as last_ts`,
    [id, historyStart],
  )
  return rows[0]!
}
