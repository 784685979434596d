import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { PUBLIC_CHANNELS_OF_READERS, READABLE_PUBLIC_CHANNELS } from './public-channels.ts'

/**
 * SQL for (viewer, channel, history_start, joined) of every channel that each viewer may read. `joined`: its mentions of
 * everyone concern the viewer. A fragment, so that search and mentions can join it instead of passing lists.
 *   $1  text[]  the viewers     $2  text[]  the public channels of the settings
 */
export const READABLE_CHANNELS = `
  select viewer, channel, 0::double precision as history_start, joined
    from (${READABLE_PUBLIC_CHANNELS}) public
  union all
  select username, channel, 0, true
    from dm_participants
   where username = any($1)
  union all
  select member.username, 'private:' || member.channel_id, coalesce(member.history_start_ts, 0),
         properties.archived_ts is null
    from private_channel_members member
    left join channel_properties properties on properties.channel = 'private:' || member.channel_id
   where member.username = any($1)`

/** SQL condition on a row of it: mentions of everyone concern the viewer, who is no bot. */
export const IS_TOLD_OF_EVERYONE = `
  readable.joined and readable.viewer not in (select username from users where kind = 'bot')`

/** The same for (viewer, channel, history_start): who may read, without who is told. */
export const CHANNELS_OF_READERS = `
  select viewer, channel, 0::double precision as history_start
    from (${PUBLIC_CHANNELS_OF_READERS}) public
  union all
  select username, channel, 0
    from dm_participants
   where username = any($1)
  union all
  select username, 'private:' || channel_id, coalesce(history_start_ts, 0)
    from private_channel_members
   where username = any($1)`

/** The parameters of READABLE_CHANNELS. */
export function readableChannelsValues(
  stores: Stores,
  viewers: Iterable<Username>,
): [Username[], ChannelId[]] {
  return [[...viewers], [...stores.settings.current.channels]]
}
