import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * SQL for (viewer, channel, history_start) of every channel that each viewer may read. A fragment, so that search and
 * mentions can join it instead of passing lists.
 *   $1  text[]  the viewers     $2  text[]  the public channels of the settings
 */
export const READABLE_CHANNELS = `
  select viewer, public.channel, 0::double precision as history_start
    from unnest($1::text[]) as viewer
   cross join unnest($2::text[]) as public (channel)
  union all
  select username, channel, 0
    from dm_participants
   where username = any($1)
  union all
  select username, 'private:' || channel_id, coalesce(history_start_ts, 0)
    from private_channel_members
   where username = any($1)`

export interface ReadableChannelRow {
  viewer: Username
  channel: ChannelId
  history_start: Seconds
}

/** The parameters of READABLE_CHANNELS. */
export function readableChannelsValues(
  stores: Stores,
  viewers: Iterable<Username>,
): [Username[], ChannelId[]] {
  return [[...viewers], [...stores.settings.current.channels]]
}
