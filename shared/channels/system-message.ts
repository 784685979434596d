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
 * a DM that the message may open.
 */
export async function insertSystemMessage(
  db: Db,
  channel: ChannelId,
  content: string,
  opensFor: Username[] = [],
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
  return rows[0]!
}
