import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { INBOX_KEPT } from '#shared/collections/inbox/candidates.ts'
import { MOST_COUNTED } from '#shared/collections/inbox/unread.ts'
import { READ_TS } from '#shared/collections/unread.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Items to mark as read: all up to a time, or these. */
export type ReadItems =
  | { upTo: Seconds }
  | { mentions: number[]; activity: number[]; scheduled: number[]; answers: number[] }

/**
 * Marks items of the viewer as read, whatever the watermarks of their channels. Mentions are stored only then; those of
 * channels that the viewer may not read, or whose id a renaming closes, are skipped. Locks rows in order of ids. Returns the number of changes.
 */
export async function markItemsRead(stores: Stores, viewer: Username, items: ReadItems): Promise<number> {
  const isUpTo = 'upTo' in items
  const { rows } = await stores.db.query<{ count: number }>(
    `with readable as (
       select readable.channel, readable.history_start, ${READ_TS} as last_read
         from (${READABLE_CHANNELS}) readable
         left join read_watermarks marker on marker.channel = readable.channel and marker.username = readable.viewer
     ), meant as materialized (
       select mention.channel, mention.message_id, mention.ts
         from readable
        cross join lateral (
              select * from message_mentions
               where message_mentions.channel = readable.channel
                 and username in ($3, $4)
                 and ts > $5
                 and ts >= readable.history_start
                 and (case when $6::double precision is null then message_id = any($7::bigint[])
                           else ts <= $6 and ts > readable.last_read end)
               order by ts desc
               limit $9) mention
     ), open as materialized (
       select id from channels
        where id in (select channel from meant) and message_count > 0
        order by id
          for key share
     ), mentioned as (
       insert into activity (username, kind, channel, message_id, ts, read_ts)
       select $3, 'mention', meant.channel, meant.message_id, meant.ts, meant.ts
         from meant
         join open on open.id = meant.channel
       on conflict do nothing
       returning id
     ), locked as materialized (
       select id from activity
        where username = $3
          and kind <> 'mention'
          and (id = any($8::bigint[]) or ts <= $6)
          and coalesce(read_ts < ts, true)
        order by id
          for update
     ), marked as (
       update activity set read_ts = ts from locked where activity.id = locked.id returning activity.id
     ), failed as (
       update scheduled
          set read_ts = extract(epoch from clock_timestamp())
        where username = $3
          and state = 'failed'
          and read_ts is null
          and (id = any($10::bigint[]) or ended_ts <= $6)
       returning id
     ), answered as (
       update command_answers
          set read_ts = extract(epoch from clock_timestamp())
        where username = $3
          and read_ts is null
          and (id = any($11::bigint[]) or ts <= $6)
       returning id
     )
     select ((select count(*) from mentioned) + (select count(*) from marked) + (select count(*) from failed)
             + (select count(*) from answered))::integer as count`,
    [
      ...readableChannelsValues(stores, [viewer]),
      viewer,
      EVERYONE,
      stores.clock.now() - INBOX_KEPT,
      isUpTo ? items.upTo : null,
      isUpTo ? [] : items.mentions,
      isUpTo ? [] : items.activity,
      MOST_COUNTED,
      isUpTo ? [] : items.scheduled,
      isUpTo ? [] : items.answers,
    ],
  )
  return rows[0]!.count
}
