import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * SQL for (channel, place, is_default, is_archived) of every public channel: those of the settings in their order, then
 * those made here by age. `configured` is a parameter of type text[].
 */
export const publicChannelsSql = (configured: string): string => `
  select configured.channel, configured.place::double precision as place, true as is_default,
         properties.archived_ts is not null as is_archived
    from unnest(${configured}::text[]) with ordinality as configured (channel, place)
    left join channel_properties properties on properties.channel = configured.channel
  union all
  select channel, created_ts, is_default, archived_ts is not null
    from channel_properties
   where kind = 'public' and made_here and channel <> all(${configured}::text[])`

/** SQL: guests, and accounts that are not active. Few; the index users_restricted has them. */
export const RESTRICTED_ACCOUNTS = `select username from users where role = 'guest' or state <> 'active'`

/**
 * SQL for (viewer, channel, place, is_default, is_archived, decided, joined) of the public channels that viewers may
 * read. Guests read those that they were added to. Without a decision, default channels are joined; archived ones
 * never are, but `decided` tells whether they will be when they are brought back.
 *   $1  text[]  the viewers     $2  text[]  the public channels of the settings
 */
export const READABLE_PUBLIC_CHANNELS = readablePublicSql(
  {
    ofMembers: `
         , public.place, public.is_default, public.is_archived,
         coalesce(membership.joined, public.is_default) as decided,
         coalesce(membership.joined, public.is_default) and not public.is_archived as joined`,
    ofGuests: ', public.place, public.is_default, public.is_archived, true, not public.is_archived',
  },
  `
    left join channel_memberships membership
      on membership.username = viewer and membership.channel = public.channel
     -- Implied, but the index needs it.
     and membership.username = any($1)`,
)

/** The same for (viewer, channel) alone, which costs half of it. */
export const PUBLIC_CHANNELS_OF_READERS = readablePublicSql({ ofMembers: '', ofGuests: '' }, '')

function readablePublicSql(columns: { ofMembers: string; ofGuests: string }, decisions: string): string {
  return `
  select viewer, public.channel ${columns.ofMembers}
    from unnest($1::text[]) as viewer
   cross join (${publicChannelsSql('$2')}) public ${decisions}
   where viewer not in (${RESTRICTED_ACCOUNTS})
  union all
  select guest.username, public.channel ${columns.ofGuests}
    from users guest
    join channel_memberships membership on membership.username = guest.username and membership.joined
    join (${publicChannelsSql('$2')}) public on public.channel = membership.channel
   where guest.username = any($1) and guest.role = 'guest' and guest.state = 'active'`
}

export interface PublicChannel {
  channel: ChannelId
  isDefault: boolean
}

/** The public channels of the workspace in order, without archived ones. */
export async function publicChannels({ db, settings }: Stores): Promise<PublicChannel[]> {
  const { rows } = await db.query<PublicChannel>(
    `select channel, is_default as "isDefault"
       from (${publicChannelsSql('$1')}) public
      where not is_archived
      order by place, channel`,
    [[...settings.current.channels]],
  )
  return rows
}

/** True also for an archived channel, and for viewers who may not read it. */
export async function isPublicChannel({ db, settings }: Stores, channel: ChannelId): Promise<boolean> {
  if (settings.current.channels.includes(channel)) return true
  const { rowCount } = await db.query(
    `select from channel_properties where channel = $1 and kind = 'public' and made_here`,
    [channel],
  )
  return rowCount === 1
}

/** The public channels in the viewer's sidebar, in order. */
export async function joinedChannels({ db, settings }: Stores, viewer: Username): Promise<ChannelId[]> {
  const { rows } = await db.query<{ channel: ChannelId; place: Seconds }>(
    `select channel from (${READABLE_PUBLIC_CHANNELS}) readable where joined order by place, channel`,
    [[viewer], [...settings.current.channels]],
  )
  return rows.map(row => row.channel)
}
