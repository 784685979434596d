/** The data of a large office: people, 20 public channels, 180 DMs, and as many messages in each. */
import type pg from 'pg'

/** Time of the oldest message. */
export const BEGIN = 1_795_000_000
const PUBLIC = 20
const CHANNELS = 200

interface Office {
  people: number
  /** Messages in each channel, a second apart. */
  each: number
}

/** Fills an empty database; the trigram index is built at the end, which is faster. */
export async function seedOffice(
  admin: (statements: string) => Promise<unknown>,
  pool: pg.Pool,
  { people, each }: Office,
) {
  const { end } = officeOf(each)
  await admin('drop index message_texts_trgm')

  const statements = [
    `insert into users (username, password_hash, created_ts)
     select 'u' || i, 'x', 0 from generate_series(1, ${people}) i`,
    `insert into channels (id, clock_us, newest_ts, message_count)
     select case when i <= ${PUBLIC} then 'c' || i else 'dm:u' || i || ':u' || (i + 1) end,
            ${end}::bigint * 1000000, ${end}, ${each}
       from generate_series(1, ${CHANNELS}) i`,
    `insert into dm_participants (username, channel)
     select 'u' || (i + k), 'dm:u' || i || ':u' || (i + 1)
       from generate_series(${PUBLIC + 1}, ${CHANNELS}) i, generate_series(0, 1) k`,
    `insert into messages (channel, ord, sender, content, ts)
     select case when c <= ${PUBLIC} then 'c' || c else 'dm:u' || c || ':u' || (c + 1) end, o,
            'u' || (1 + (o * 7 + c) % ${people}),
            md5(o::text || c) || ' the quick watchdog ' || md5(c::text || o),
            ${BEGIN} + o + c * 0.0001
       from generate_series(1, ${CHANNELS}) c, generate_series(1, ${each}) o
      order by o, c -- as they were said: what is of one time lies together`,
    `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
     select 'c' || c, 'u' || u, ${BEGIN} + (u * c) % ${each}, (u * c) % ${each}
       from generate_series(1, ${PUBLIC}) c, generate_series(1, ${people}) u`,
    `insert into message_mentions (channel, username, ts, message_id)
     select channel, 'u' || (id % ${people}), ts, id from messages where id % 20 = 0`,
    // In each channel every second row is that many ids before.
    `update messages set reply_to_id = id - ${CHANNELS} where id % 7 = 0 and id > ${CHANNELS}`,
    `update messages set thread_id = thread_root(reply_to_id) where reply_to_id is not null`,
    `insert into activity (username, kind, channel, message_id, ts)
     select parent.sender, 'reply', reply.channel, reply.id, reply.ts
       from messages reply join messages parent on parent.id = reply.reply_to_id`,
    `insert into reactions (message_id, emoji, username, ts)
     select id, 'tada', 'u' || (1 + (id + k) % ${people}), ts + k
       from messages, generate_series(1, 2) k
      where id % 40 = 0`,
    `insert into message_mentions (channel, username, ts, message_id)
     select channel, '@everyone', ts, id from messages where id % 977 = 0`,
    `insert into presence (username, state, last_seen)
     select username, 'active', ${end} from users`,
  ]
  for (const statement of statements) await pool.query(statement)
  await admin(`create index message_texts_trgm on message_texts
               using gin (content gin_trgm_ops, (text_places(channel, ts)))`)
  await admin('vacuum analyze')
  return officeOf(each)
}

/** The time after the newest message, and the public channels. */
export const officeOf = (each: number) => ({
  end: BEGIN + each,
  channels: Array.from({ length: PUBLIC }, (_, i) => `c${i + 1}`),
})
