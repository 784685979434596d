import pg from 'pg'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'

/** Distance of messages: every third begins a group, and a day has some thousands. */
const STEP: Seconds = 20
const SENDERS = 20

export interface History {
  channel: ChannelId
  count: number
  /** Number of messages read, per user; all others have read none. */
  read?: Map<Username, number>
}

/**
 * Inserts long histories into a test's database: texts of various lengths by twenty people, the last a minute old. The
 * text of message n begins with `#n `, counted from 1.
 */
export async function seedHistories(databaseUrl: string, histories: History[]): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    await db.query(
      `insert into users (username, password_hash, created_ts)
       select 'u' || i, 'x', 0 from generate_series(1, ${SENDERS}) i`,
    )
    for (const history of histories) await seed(db, history)
    await db.query('analyze messages')
  } finally {
    await db.end()
  }
}

async function seed(db: pg.Client, { channel, count, read = new Map() }: History) {
  const end: Seconds = Math.floor(Date.now() / 1000) - 60
  const begin = end - count * STEP
  await db.query(
    `insert into channels (id, clock_us, newest_ts, message_count) values ($1, $2::bigint * 1000000, $2, $3)
     on conflict (id) do update set clock_us = excluded.clock_us, newest_ts = excluded.newest_ts, message_count = excluded.message_count`,
    [channel, end, count],
  )
  await db.query(
    `insert into messages (channel, ord, sender, content, ts)
     select $1, o, 'u' || (1 + (o / 3) % ${SENDERS}),
            '#' || o || ' ' || case
              when o % 23 = 0 then E'as in\\n\`\`\`\\nlet level = 4\\nawait weir.open(level)\\n\`\`\`'
              when o % 11 = 0 then 'see https://example.com/weir/' || o || ' and **mind** the \`gate\`'
              else left(repeat('the weir is high and the watchdog sleeps at the sluice, ', 12), (o * 7919 % 97) * (o % 7))
            end,
            $2::float8 + o * ${STEP}
       from generate_series(1, $3::int) o`,
    [channel, begin, count],
  )
  await db.query(
    `update messages set reply_to_id = id - 5, thread_id = id - 5 where channel = $1 and ord % 17 = 0`,
    [channel],
  )
  for (const [username, ord] of read) {
    await db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord) values ($1, $2, $3, $4)
       on conflict (channel, username) do update
         set last_read_ts = excluded.last_read_ts, last_read_ord = excluded.last_read_ord`,
      [channel, username, begin + ord * STEP, ord],
    )
  }
}
