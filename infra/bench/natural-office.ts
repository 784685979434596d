/** An office that writes natural English in 5,000 public channels, of which the first ones are busier. */
import type pg from 'pg'
import { corpus } from './corpus.ts'
import { BEGIN } from './office-data.ts'

const PEOPLE = 2_000
const CHANNELS = 5_000
/** Sentences of one statement. */
const AT_ONCE = 20_000

/** Readers who search at once: members, who read all channels, and guests, who read those that they were added to. */
export const MEMBERS = Array.from({ length: 60 }, (_, i) => `u${50 + i}`)
export const GUESTS_OF_2000 = Array.from({ length: 8 }, (_, i) => `visitor${i}`)
export const GUESTS_OF_50 = Array.from({ length: 8 }, (_, i) => `guest${i}`)

/** Makes the channels those of the office, and their readers. Once is enough. */
export async function seedReaders(pool: pg.Pool) {
  await pool.query(
    `insert into channel_properties (channel, kind, made_here, created_ts)
     select id, 'public', true, 0 from channels where id like 'n%'
     on conflict do nothing`,
  )
  await pool.query(
    `insert into users (username, password_hash, created_ts, role)
     select name, 'x', 0, 'guest' from unnest($1::text[]) as name
     on conflict do nothing`,
    [[...GUESTS_OF_2000, ...GUESTS_OF_50]],
  )
  // The first channels are busier: guests of 50 read none of them.
  const add = (people: string[], which: string) =>
    pool.query(
      `insert into channel_memberships (username, channel, joined, changed_ts)
       select name, 'n' || i, true, 0 from unnest($1::text[]) as name, generate_series(1, ${CHANNELS}) i where ${which}
       on conflict do nothing`,
      [people],
    )
  await add([...MEMBERS, ...GUESTS_OF_2000], 'i % 5 < 2')
  await add(GUESTS_OF_50, 'i % 100 = 51')
  await pool.query('analyze users, channel_properties, channel_memberships')
}

/** Fills an empty database with `messages` messages, a second apart. */
export async function seedNatural(pool: pg.Pool, messages: number) {
  const sentences = corpus()
  await pool.query('create unlogged table sentences (number integer primary key, text text not null)')
  for (let from = 0; from < sentences.length; from += AT_ONCE)
    await pool.query(
      `insert into sentences
       select $1::integer + at - 1, text from unnest($2::text[]) with ordinality as part (text, at)`,
      [from, sentences.slice(from, from + AT_ONCE)],
    )
  const statements = [
    'drop index message_texts_trgm',
    `insert into users (username, password_hash, created_ts)
     select 'u' || i, 'x', 0 from generate_series(1, ${PEOPLE}) i`,
    `insert into channels (id, clock_us, newest_ts, message_count)
     select 'n' || i, ${BEGIN + messages}::bigint * 1000000, ${BEGIN + messages}, 0
       from generate_series(1, ${CHANNELS}) i`,
    // Without triggers, which is faster. The same sentences come again in another order; ids are in the order of time.
    'set session_replication_role = replica',
    `insert into messages (channel, ord, sender, content, ts)
     select 'n' || (1 + floor(${CHANNELS} * power((hashint4(o) & 1048575) / 1048576.0, 3))), o,
            'u' || (1 + (o * 7) % ${PEOPLE}), sentence.text, ${BEGIN} + o
       from generate_series(1, ${messages}) o
       join sentences sentence
         on sentence.number = (o::bigint * (1 + 2 * (o / ${sentences.length})) + o / ${sentences.length}) % ${sentences.length}
      order by o`,
    `insert into message_texts (message_id, content, channel, ts)
     select id, search_text(content), channel, ts from messages order by id`,
    `update channels set message_count = (select count(*) from messages where channel = channels.id)`,
    `create index message_texts_trgm on message_texts using gin (content gin_trgm_ops, (text_places(channel, ts)))`,
    'vacuum analyze messages',
    'vacuum analyze message_texts',
    'vacuum analyze users',
    'vacuum analyze channels',
  ]
  // The setting is one of the connection.
  for (const statement of statements) {
    const began = performance.now()
    await pool.query(statement)
    console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${statement.slice(0, 60)}`)
  }
}
