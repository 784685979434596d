import { managesPrivate, managesPublic } from '#shared/access/access-of.ts'
import { READABLE_PUBLIC_CHANNELS } from '#shared/access/public-channels.ts'
import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type {
  SidebarChannelPayload,
  SidebarPayload,
  SidebarSectionPayload,
} from '#shared/domain/payloads/sidebar.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from './collection.ts'
import { atOneMoment } from './one-moment.ts'

/**
 * The person's sidebar: the joined channels and visible DMs with the person's choices. Unread counts are in the
 * collections of the interface.
 */
export const sidebar: GlobalCollection<'sidebar'> = {
  event: 'sidebar',
  scope: 'global',
  minInterval: 500,

  read: (stores, viewers) => atOneMoment(stores, then => readSidebars(then, viewers)),

  /** Returns when the next mute of each viewer ends. */
  async changesAt({ db }, viewers, asOf) {
    const { rows } = await db.query<{ username: Username; next: Seconds }>(
      `select username, min(muted_until) as next
         from channel_prefs
        where username = any($1) and muted_until > $2 and muted_until < 'Infinity'
        group by username`,
      [viewers, asOf],
    )
    return new Map(rows.map(({ username, next }) => [username, next + 0.01]))
  },
}

async function readSidebars(stores: Stores, viewers: Username[]): Promise<Map<Username, SidebarPayload>> {
  const { db, clock } = stores
  const revisions = await revisionsOf(db, viewers)
  const payloads = new Map<Username, SidebarPayload>(
    viewers.map(viewer => [viewer, { rev: revisions.get(viewer) ?? 0, sections: [], channels: [] }]),
  )
  for (const { viewer, ...section } of await sectionsOf(db, viewers))
    payloads.get(viewer)!.sections.push(section)
  const values = [...readableChannelsValues(stores, viewers), clock.now()]
  const { rows } = await db.query<SidebarRow>(CHANNELS, values)
  for (const row of rows) payloads.get(row.viewer)!.channels.push(payloadOf(row))
  return payloads
}

interface SidebarRow extends Omit<SidebarChannelPayload, 'muted_until' | 'users'> {
  viewer: Username
  muted_until: Seconds | null
}

async function revisionsOf(db: Db, viewers: Username[]): Promise<Map<Username, number>> {
  const { rows } = await db.query<{ username: Username; rev: number }>(
    'select username, rev from sidebar_revisions where username = any($1)',
    [viewers],
  )
  return new Map(rows.map(({ username, rev }) => [username, rev]))
}

async function sectionsOf(db: Db, viewers: Username[]) {
  const { rows } = await db.query<SidebarSectionPayload & { viewer: Username }>(
    `select username as viewer, id, name, collapsed
       from sidebar_sections
      where username = any($1)
      order by username, position, id`,
    [viewers],
  )
  return rows
}

/** SQL for (channel): channels with an active guest. */
const GUEST_CHANNELS = `
  select membership.channel
    from channel_memberships membership
    join users guest on guest.username = membership.username
   where guest.role = 'guest' and guest.state = 'active' and membership.joined
   union
  select 'private:' || member.channel_id
    from private_channel_members member
    join users guest on guest.username = member.username
   where guest.role = 'guest' and guest.state = 'active'
   union
  select dm.channel
    from dm_participants dm
    join users guest on guest.username = dm.username
   where guest.role = 'guest' and guest.state = 'active'`

/** The channels of READABLE_PUBLIC_CHANNELS that are joined, private channels and visible DMs; $3 is the time. */
const CHANNELS = `
  with guest_channels as materialized (${GUEST_CHANNELS}),
  listed as (
    select viewer, channel, 'public' as kind, 1 as rank, place, null::bigint as private_id, null::text as name
      from (${READABLE_PUBLIC_CHANNELS}) readable
     where joined
    union all
    select member.username, 'private:' || private.id, 'private', 2, member.join_order, private.id, private.name
      from private_channel_members member
      join private_channels private on private.id = member.channel_id
     where member.username = any($1)
    union all
    select dm.username, dm.channel, 'dm', 3, 0, null, null
      from dm_participants dm
      join channels channel on channel.id = dm.channel
      left join hidden_dms hidden on hidden.channel = dm.channel and hidden.username = dm.username
     where dm.username = any($1) and (hidden.hidden_ts is null or channel.newest_ts > hidden.hidden_ts)
  )
  select listed.viewer, listed.channel, listed.kind,
         case when listed.kind <> 'dm' then coalesce(listed.name, properties.name, listed.channel) end as name,
         coalesce(prefs.level, 'default') as level,
         case when prefs.muted_until > $3 then prefs.muted_until end as muted_until,
         coalesce(prefs.favourite, false) as favourite, prefs.section_id as section, prefs.position,
         marker.unread_from_ts as marked_unread, coalesce(properties.posting, 'everyone') as posting,
         case when listed.kind = 'dm' then coalesce((
                select bool_or(other.state = 'active')
                  from users other
                 where other.username = any(string_to_array(substr(listed.channel, 4), ':'))
                   and other.username <> listed.viewer), true)
              when properties.posting = 'managers' then exists (
                select from users account
                 where account.username = listed.viewer
                   and case when listed.kind = 'public' then ${managesPublic('listed.channel')}
                            else ${managesPrivate('listed.channel', 'listed.private_id')} end)
              else true end as may_post,
         listed.channel in (select channel from guest_channels) as guests
    from listed
    left join channel_properties properties on properties.channel = listed.channel
    left join channel_prefs prefs on prefs.username = listed.viewer and prefs.channel = listed.channel
    left join read_watermarks marker
      on marker.username = listed.viewer and marker.channel = listed.channel
     -- Implied, but the index needs it.
     and marker.username = any($1)
   where properties.archived_ts is null
   order by listed.rank, listed.place, listed.channel`

function payloadOf({ viewer, muted_until, ...row }: SidebarRow): SidebarChannelPayload {
  const parsed = parseChannelId(row.channel)
  return {
    ...row,
    ...(parsed?.kind === 'dm' ? { users: parsed.participants.filter(name => name !== viewer) } : {}),
    muted_until: mutedUntil(muted_until),
  }
}

/** JSON has no infinity. */
const mutedUntil = (until: Seconds | null): SidebarChannelPayload['muted_until'] =>
  until === Infinity ? 'forever' : until
