import type { StatsPayload } from '#shared/domain/payloads/administration.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

const KEPT: Seconds = 60
const MOST_CHANNELS = 10

/** Returns a reader that repeats its queries at most once in 60 seconds. */
export function statsReader(stores: Stores): () => Promise<StatsPayload> {
  let kept: { at: number; stats: Promise<StatsPayload> } | undefined
  return () => {
    if (kept && performance.now() - kept.at < KEPT * 1_000) return kept.stats
    const fresh = { at: performance.now(), stats: readStats(stores) }
    fresh.stats.catch(() => {
      if (kept === fresh) kept = undefined
    })
    kept = fresh
    return fresh.stats
  }
}

async function readStats(stores: Stores): Promise<StatsPayload> {
  const [people, days, channels, sizes] = await Promise.all([
    countPeople(stores),
    messagesPerDay(stores),
    topChannels(stores),
    attachmentBytes(stores),
  ])
  return { ...people, messages_per_day: days, attachments_bytes: sizes, top_channels: channels }
}

type Counts = Omit<StatsPayload, 'messages_per_day' | 'attachments_bytes' | 'top_channels'>

async function countPeople({ db, clock }: Stores): Promise<Counts> {
  const { rows } = await db.query<Counts>(
    `select count(*) filter (where kind = 'person')::integer as people,
            count(*) filter (where kind = 'person' and role = 'guest')::integer as guests,
            count(*) filter (where kind = 'bot')::integer as bots,
            count(*) filter (where kind = 'person' and last_seen > $1::double precision - 86400)::integer
              as active_1d,
            count(*) filter (where kind = 'person' and last_seen > $1::double precision - 7 * 86400)::integer
              as active_7d,
            count(*) filter (where kind = 'person' and last_seen > $1::double precision - 30 * 86400)::integer
              as active_30d,
            (select coalesce(sum(message_count), 0)::bigint from channels) as messages,
            pg_database_size(current_database()) as database_bytes
       from users
       left join presence using (username)
      where users.state = 'active'`,
    [clock.now()],
  )
  return rows[0]!
}

/** Scans the messages of the last 30 days, by the index of each channel. */
async function messagesPerDay({ db, clock }: Stores): Promise<StatsPayload['messages_per_day']> {
  const { rows } = await db.query<{ day: string; count: number }>(
    `with day as (
       select (to_timestamp($1) at time zone 'UTC')::date - back as day from generate_series(0, 29) as back
     ), sent as (
       select (to_timestamp(message.ts) at time zone 'UTC')::date as day, count(*)::integer as count
         from channels channel
         join messages message on message.channel = channel.id
        where message.ts >= (select extract(epoch from min(day)::timestamp at time zone 'UTC') from day)
        group by 1
     )
     select day.day::text as day, coalesce(sent.count, 0) as count
       from day left join sent using (day)
      order by day.day`,
    [clock.now()],
  )
  return rows
}

async function topChannels({ db, clock, settings }: Stores): Promise<StatsPayload['top_channels']> {
  const { rows } = await db.query<{ channel: ChannelId; count: number }>(
    `select public.channel, count(*)::integer as count
       from (select unnest($1::text[]) as channel
             union
             select channel from channel_properties where kind = 'public' and made_here) public
       join messages message on message.channel = public.channel and message.ts > $2::double precision - 30 * 86400
      group by public.channel
      order by count(*) desc, public.channel
      limit $3`,
    [settings.current.channels, clock.now(), MOST_CHANNELS],
  )
  return rows
}

async function attachmentBytes({ db }: Stores): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'select coalesce(sum(bytes), 0)::bigint as bytes from files',
  )
  return rows[0]!.bytes
}
