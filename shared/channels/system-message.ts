import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { seconds, takeMessageTimes } from './channel-clock.ts'

export interface Posted {
  id: number
  ts: Seconds
  ord: number
}

/**
 * Inserts a system message at the channel's next time; the caller publishes the notice. `opensFor`: the participants of
 * a DM that the message may open. `readBy`: readers of the channel whose own act the message reports; requires a
 * transaction.
 */
export async function insertSystemMessage(
  db: Db,
  channel: ChannelId,
  content: string,
  { opensFor = [], readBy = [] }: { opensFor?: Username[]; readBy?: Username[] } = {},
): Promise<Posted> {
  const { rows } = await db.query<Posted>(
    `with tick as (
       ${takeMessageTimes('$1', '1')}
     ), opened as (
       insert into dm_participants (username, channel)
       select users.username, $1 from tick cross join users where users.username = any($4::text[])
       on conflict do nothing
     )
     insert into messages (channel, ord, sender, content, ts, content_type)
     select $1, message_count, $2, $3, ${seconds('clock_us')}, 'system' from tick
     returning id, ts, ord`,
    [channel, SYSTEM_SENDER, content, opensFor],
  )
  const posted = rows[0]!
  if (readBy.length > 0) await moveMarkers(db, channel, posted, readBy)
  return posted
}

/**
 * Marks the message as read for those who have read everything before it. A statement after the insertion: it sees every
 * earlier message, and the lock of the clock holds back later ones.
 */
async function moveMarkers(tx: Db, channel: ChannelId, { ts, ord }: Posted, readers: Username[]) {
  await tx.query(
    `insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
     select $1, reader, $2, $3
       from unnest($4::text[]) as reader
       left join read_watermarks before on before.channel = $1 and before.username = reader
      where before.unread_from_ts is null
        and not exists (
              select from messages
               where channel = $1
                 and ts > coalesce(before.last_read_ts, 0)
                 and ts < $2
                 and deleted = 0)
     on conflict (channel, username) do update
        set last_read_ts = excluded.last_read_ts, last_read_ord = excluded.last_read_ord
      where excluded.last_read_ts > marker.last_read_ts`,
    [channel, ts, ord, readers],
  )
}
