import type { ReadableMessage } from '#shared/access/readable-message.ts'
import type { SeenPayload } from '#shared/rules/payloads.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

const PAGE = 100

/** The readers of a message: an account that is present, may read it, and whose watermark has reached it; not its author. */
const READERS = `
  from read_watermarks mark
  join users using (username)
 where mark.channel = $1
   and mark.last_read_ts >= $2
   and mark.username <> $3
   and ($4::bigint is null or exists (
         select from private_channel_members
          where channel_id = $4 and username = mark.username and coalesce(history_start_ts, 0) <= $2))`

/** A page of them in the order of their names, after `cursor`, which is the last name of the page before. */
export async function readersOfMessage(
  db: Db,
  { channel, ts, sender }: ReadableMessage,
  cursor: Username,
): Promise<SeenPayload> {
  const about = [channel.id, ts, sender, channel.privateId ?? null]
  const [total, page] = await Promise.all([
    db.query<{ count: number }>(`select count(*)::int as count ${READERS}`, about),
    db.query<{ username: Username }>(
      `select mark.username ${READERS} and mark.username > $5 order by mark.username limit $6`,
      [...about, cursor, PAGE + 1],
    ),
  ])
  const names = page.rows.slice(0, PAGE).map(row => row.username)
  return {
    count: total.rows[0]!.count,
    names,
    cursor: page.rows.length > PAGE ? names.at(-1)! : null,
  }
}
