import * as v from 'valibot'
import { DECISIONS_BY_CHANNEL, decisionsOf, membersOfPublic } from '#shared/access/channel-people.ts'
import { publicChannelsSql } from '#shared/access/public-channels.ts'
import type { AdminChannelPayload, AdminChannelsPayload } from '#shared/domain/payloads/administration.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { positions } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../middleware/fields.ts'
import { cursorText } from '../middleware/paging.ts'

const LISTS = ['open', 'private', 'quiet', 'archived'] as const
type List = (typeof LISTS)[number]
const SORTS = ['newest', 'members', 'messages', 'name'] as const
type Sort = (typeof SORTS)[number]

/** The place of a channel: all keys ascending. */
type Place = [number: number, text: string, channel: ChannelId]
const PLACE = v.strictTuple([v.pipe(v.number(), v.finite()), v.string(), v.string()])

/** The query of GET /admin/channels. */
export const CHANNELS_PAGE = f.fields({
  list: f.word(LISTS),
  sort: f.word(SORTS),
  q: f.words,
  limit: f.limit(),
  cursor: f.cursor(PLACE),
})

const QUIET: Seconds = 90 * 24 * 3600

const $ = positions('configured', 'quietBefore', 'q', 'after', 'limit')

const NUMBERS: Record<Sort, string> = {
  newest: '-coalesce(newest_ts, 0)',
  members: '-members::double precision',
  messages: '-messages::double precision',
  name: '0::double precision',
}

const CONDITIONS: Record<List, string> = {
  open: 'not archived',
  private: `not archived and kind = 'private'`,
  quiet: `not archived and coalesce(newest_ts, created_ts) < ${$.quietBefore}::double precision`,
  archived: 'archived',
}

/** Private channels that a request looks at, the newest first; and as many public ones. */
const MOST_CHANNELS = 20_000

/**
 * SQL for public and private channels, without the number of their members. DMs are none of the administrators'
 * business.
 */
const CHANNELS = `
  select listed.*, nullif(channel.newest_ts, 0) as newest_ts, coalesce(channel.message_count, 0) as messages
    from ((select public.channel, coalesce(properties.name, public.channel) as name, 'public' as kind,
                  null::bigint as private_id, public.is_default as "default",
                  coalesce(properties.posting, 'everyone') as posting, public.is_archived as archived,
                  properties.created_ts
             from (${publicChannelsSql($.configured)}) public
             left join channel_properties properties on properties.channel = public.channel
            limit ${MOST_CHANNELS})
          union all
          (select 'private:' || private.id, private.name, 'private', private.id, false,
                  coalesce(properties.posting, 'everyone'), properties.archived_ts is not null, private.created_ts
             from private_channels private
             left join channel_properties properties on properties.channel = 'private:' || private.id
            order by private.id desc
            limit ${MOST_CHANNELS})) listed
    left join channels channel on channel.id = listed.channel`

/** SQL for (channel_id, members) of private channels. */
const MEMBERS_OF_PRIVATE = (condition: string) => `
  select member.channel_id, count(*)::integer as members
    from private_channel_members member
   where ${condition}
     -- By the index of the few restricted accounts.
     and member.username not in (select username from users where state <> 'active')
   group by member.channel_id`

/** SQL for the members of a row `of`, with the relations `counted` and `private` joined to it. */
const members = (of: string) =>
  `case when ${of}.kind = 'private' then coalesce(private.members, 0)
        else ${membersOfPublic('counted', `${of}."default"`)} end`

/** SQL for a page of the relation `found`. Every list has each parameter. */
const pageBy = (number: string, list: List) => `
  select found.*, jsonb_build_array(${number}, lower(name), channel) as place
    from found
   where ${CONDITIONS[list]}
     and ${$.quietBefore}::double precision is not null
     and (${$.q}::text is null or strpos(lower(name), ${$.q}) > 0)
     and (${$.after}::jsonb is null or (${number}, lower(name), channel) >
          ((${$.after} ->> 0)::double precision, ${$.after} ->> 1, ${$.after} ->> 2))
   order by ${number}, lower(name), channel
   limit ${$.limit}`

/** Counts the members of every channel only where these decide about the order. */
const statementFor = (sort: Sort, list: List) =>
  sort === 'members'
    ? `with found as materialized (
         select listed.*, ${members('listed')} as members
           from (${CHANNELS}) listed
           left join (${DECISIONS_BY_CHANNEL}) counted on counted.channel = listed.channel
           left join (${MEMBERS_OF_PRIVATE('true')}) private on private.channel_id = listed.private_id
       )
       ${pageBy(NUMBERS.members, list)}`
    : `with found as (${CHANNELS}), page as materialized (${pageBy(NUMBERS[sort], list)})
       select page.*, ${members('page')} as members
         from page
         left join lateral (${decisionsOf('page.channel')}) counted on page.kind = 'public'
         left join lateral (${MEMBERS_OF_PRIVATE('member.channel_id = page.private_id')}) private on true
        order by (place ->> 0)::double precision, place ->> 1, page.channel`

interface Row extends AdminChannelPayload {
  place: Place
  private_id: number | null
  created_ts: Seconds | null
}

/** A page of channels with their size, and how many each list has on the first page. */
export async function listChannels(
  stores: Stores,
  { list = 'open', sort = 'newest', q, cursor: after, limit }: v.InferOutput<typeof CHANNELS_PAGE>,
): Promise<AdminChannelsPayload> {
  const { rows } = await stores.db.query<Row>(statementFor(sort, list), [
    ...valuesOf(stores),
    q?.trim().toLowerCase() ?? null,
    after ? JSON.stringify(after) : null,
    limit + 1,
  ])
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(({ place: _, private_id: __, created_ts: ___, ...channel }) => channel),
    next: last ? cursorText(last.place) : null,
    ...(after === undefined && { counts: await countChannels(stores) }),
  }
}

async function countChannels(stores: Stores): Promise<Record<List, number>> {
  const counts = LISTS.map(list => `count(*) filter (where ${CONDITIONS[list]})::integer as ${list}`)
  const { rows } = await stores.db.query<Record<List, number>>(
    `with found as (${CHANNELS}) select ${counts.join()} from found`,
    valuesOf(stores),
  )
  return rows[0]!
}

const valuesOf = ({ settings, clock }: Stores) => [[...settings.current.channels], clock.now() - QUIET]
