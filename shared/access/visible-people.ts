import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { publicChannelsSql } from './public-channels.ts'

/*
 * The people whom a viewer sees (interface 15.1). Everybody but a guest sees all accounts. A guest sees those who share a channel or
 * DM with them; in a public channel that is who has joined it.
 */

/** SQL for CTEs: the guests in $1 and, in pair, whom they see among $3 (null: all); $2: the channels of the settings. */
const PAIRS = `
  with guest as (
    select unnest($1::text[]) as username
  ), public_channel as materialized (
    select guest.username as viewer, public.channel, public.is_default
      from guest
      join channel_memberships membership on membership.username = guest.username and membership.joined
      join (${publicChannelsSql('$2')}) public on public.channel = membership.channel
  ), pair as (
    select username as viewer, username from guest
    union
    select mine.username, other.username
      from guest
      join private_channel_members mine on mine.username = guest.username
      join private_channel_members other on other.channel_id = mine.channel_id
     where $3::text[] is null or other.username = any($3)
    union
    select mine.username, other.username
      from guest
      join dm_participants mine on mine.username = guest.username
     -- The names in its id: participants have no index by channel.
     cross join unnest(string_to_array(substr(mine.channel, 4), ':')) as participant
      join users other on other.username = participant
     where $3::text[] is null or other.username = any($3)
    union
    select mine.viewer, theirs.username
      from public_channel mine
      join channel_memberships theirs on theirs.channel = mine.channel and theirs.joined
      join users account on account.username = theirs.username and account.state <> 'pending'
     where $3::text[] is null or theirs.username = any($3)
    union
    select mine.viewer, account.username
      from (select distinct viewer from public_channel where is_default) mine
      join users account on account.role <> 'guest' and account.state <> 'pending'
     where ($3::text[] is null or account.username = any($3))
       -- Some default channel that they have not left.
       and exists (
             select from public_channel shared
              where shared.viewer = mine.viewer and shared.is_default
                and not exists (
                      select from channel_memberships gone
                       where gone.channel = shared.channel and gone.username = account.username and not gone.joined))
  )`

const SEEN_BY_GUESTS = `${PAIRS}
  select guest.username as viewer, array_remove(array_agg(pair.username), null) as seen
    from guest
    left join pair on pair.viewer = guest.username
   group by guest.username`

/**
 * Returns for each guest among the viewers whom of `names` they see; of everybody without `names`. Viewers without an
 * entry see everybody.
 */
export async function seenByGuests(
  { db, settings }: Pick<Stores, 'db' | 'settings'>,
  viewers: readonly Username[],
  names?: readonly Username[],
): Promise<Map<Username, Set<Username>>> {
  const guests = await guestsAmong(db, viewers)
  if (guests.length === 0) return new Map()
  const { rows } = await db.query<{ viewer: Username; seen: Username[] }>(SEEN_BY_GUESTS, [
    guests,
    settings.current.channels,
    names ?? null,
  ])
  return new Map(rows.map(({ viewer, seen }) => [viewer, new Set(seen)]))
}

/** Changes of the people whom a guest sees, and of nobody else. */
export interface Sight {
  viewer: Username
  /** The newest change of a person whom they see, in microseconds; `before`: up to the given time. */
  rev: number
  before: number
  /** Another value for another set of people. */
  sight: string
  /** Those changed since the time, or whose status ended since; empty if there are more than the limit. */
  changed: Username[]
  count: number
}

/** $4: a time in seconds; $5: the limit. Times of changes follow the commits, since they are taken under a lock (0044). */
const SIGHTS = `${PAIRS}, sight as (
    select pair.viewer, account.username, account.rev_ts,
           coalesce(account.rev_ts > $4, false)
           or coalesce(account.status_until between $4 and extract(epoch from clock_timestamp()), false) as is_changed
      from pair
      join users account on account.username = pair.username and account.state <> 'pending'
  )
  select viewer,
         (coalesce(max(rev_ts), 0) * 1000000)::bigint as rev,
         (coalesce(max(rev_ts) filter (where rev_ts <= $4), 0) * 1000000)::bigint as before,
         to_hex(bit_xor(hashtextextended(username, 0))) as sight,
         case when count(*) filter (where is_changed) <= $5
              then array_agg(username) filter (where is_changed) end as changed,
         (count(*) filter (where is_changed))::integer as count
    from sight
   group by viewer`

/** Returns an entry for each guest among the viewers. */
export async function sightsOfGuests(
  { db, settings }: Pick<Stores, 'db' | 'settings'>,
  viewers: readonly Username[],
  since: Seconds,
  limit: number,
): Promise<Map<Username, Sight>> {
  const guests = await guestsAmong(db, viewers)
  if (guests.length === 0) return new Map()
  const { rows } = await db.query<Omit<Sight, 'changed'> & { changed: Username[] | null }>(SIGHTS, [
    guests,
    settings.current.channels,
    null,
    since,
    limit,
  ])
  return new Map(rows.map(row => [row.viewer, { ...row, changed: row.changed ?? [] }]))
}

/** Reads all guests, who are few: the index users_restricted has them. */
export async function guestsAmong(db: Db, viewers: readonly Username[]): Promise<Username[]> {
  if (viewers.length === 0) return []
  const { rows } = await db.query<{ username: Username }>(`select username from users where role = 'guest'`)
  const guests = new Set(rows.map(row => row.username))
  return viewers.filter(viewer => guests.has(viewer))
}

/** The names among these of people whom the viewer sees, in the same order. Only guests lose unknown names. */
export async function visibleAmong(
  stores: Pick<Stores, 'db' | 'settings'>,
  viewer: Username,
  names: readonly Username[],
): Promise<Username[]> {
  const { rows } = await stores.db.query<{ is_guest: boolean }>(
    `select role = 'guest' as is_guest from users where username = $1`,
    [viewer],
  )
  if (!rows[0]?.is_guest) return [...names]
  const seen = (await seenByGuests(stores, [viewer], names)).get(viewer)
  return seen === undefined ? [...names] : names.filter(name => seen.has(name))
}
