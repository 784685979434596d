import { hasJoined } from '#shared/access/channel-people.ts'
import type { ReadableMessage } from '#shared/access/readable-message.ts'
import { JOINED_UP_TO, SHARES_READ } from '#shared/access/shares-read.ts'
import type { SeenPayload } from '#shared/domain/payloads/messages.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

const PAGE = 100

/**
 * Readers of a message: active accounts, except its author, that may read it, share what they read, and whose
 * watermark covers it by reading, not by joining. $5: for a guest, in a public channel only those who have joined it.
 */
const READERS = `
  from read_watermarks marker
  join users using (username)
 where marker.channel = $1
   and marker.last_read_ts >= $2
   and $2 > ${JOINED_UP_TO}
   and marker.username <> $3
   and ${SHARES_READ}
   and users.state = 'active'
   and (not $5 or ${hasJoined('$1', '$6::boolean')})
   and ($4::bigint is null or exists (
         select from private_channel_members
          where channel_id = $4 and username = marker.username and coalesce(history_start_ts, 0) <= $2))`

/** A page of readers ordered by name, after `cursor`, the last name of the previous page. */
export async function readersOfMessage(
  { db, settings }: Stores,
  { channel, ts, sender }: ReadableMessage,
  cursor: Username,
): Promise<SeenPayload> {
  const about = [
    channel.id,
    ts,
    sender,
    channel.privateId ?? null,
    channel.kind === 'public' && channel.role === 'guest',
    settings.current.channels.includes(channel.id),
  ]
  const [total, page] = await Promise.all([
    db.query<{ count: number }>(`select count(*)::int as count ${READERS}`, about),
    db.query<{ username: Username }>(
      `select marker.username ${READERS} and marker.username > $7 order by marker.username limit $8`,
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
