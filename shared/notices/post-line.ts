import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Posts a system line at the channel's next time (architecture 2.2); the api has the full form for messages of people.
 * `opensFor`: the participants of a DM that the line may create.
 */
export async function postLine(
  tx: Db,
  channel: ChannelId,
  content: string,
  opensFor: Username[] = [],
): Promise<void> {
  await tx.query(
    `with tick as (
       insert into channels as channel (id, clock_us, newest_ts, message_count)
       select $1, now_us, now_us / 1000000::double precision, 1
         from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us) now
       on conflict (id) do update
          set clock_us = greatest(excluded.clock_us, channel.clock_us + 1),
              newest_ts = greatest(excluded.clock_us, channel.clock_us + 1) / 1000000::double precision,
              message_count = channel.message_count + 1
       returning clock_us, message_count
     ), opened as (
       insert into dm_participants (username, channel)
       select name, $1 from tick cross join unnest($4::text[]) as name
       on conflict do nothing
     )
     insert into messages (channel, ord, sender, content, ts, content_type)
     select $1, message_count, $2, $3, clock_us / 1000000::double precision, 'system' from tick`,
    [channel, SYSTEM_SENDER, content, opensFor],
  )
}
