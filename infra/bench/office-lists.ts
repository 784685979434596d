/**
 * EXPLAIN (ANALYZE, BUFFERS) of the statements of Office that could read much: the lists of the administration,
 * threads, sidebar and access, on the office of seed.ts with 2,000 made channels, 5,000 private ones and 200,000
 * memberships more.
 *
 *   node infra/bench/office-lists.ts [messages in each of 200 channels, default 5000] [made channels, default 2000]
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { privateAccess, publicAccess } from '#shared/access/access-of.ts'
import { channelInfo } from '#shared/collections/channel-info.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { channelFilterIn, listChannels } from '../../services/api/administration/list-channels.ts'
import { previewRetention } from '../../services/api/administration/workspace/retention-preview.ts'
import { linkedMessages } from '../../services/api/messages/linked.ts'
import { followedThreads } from '../../services/api/messages/threads/queries.ts'
import { BEGIN, seedOffice } from './office-data.ts'

const PEOPLE = 2_000
const EACH = Number(process.argv[2] ?? 5_000)
const MADE = Number(process.argv[3] ?? 2_000)
const PRIVATE = MADE * 2.5
/** Requests of a kind that many tabs repeat. */
const REPEATED = 500
/** Unit of /proc/<pid>/stat. */
const CLOCK_TICK: Milliseconds = 10

const backing = await testBacking()
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 1 })
const { channels, end } = await seedOffice(backing.admin, pool, { people: PEOPLE, each: EACH })
for (const statement of [
  `insert into channel_properties (channel, kind, made_here, name, created_by, created_ts)
   select 'made-' || i, 'public', true, 'Made ' || i, 'u1', i from generate_series(1, ${MADE}) i`,
  `insert into channel_memberships (username, channel, joined, changed_ts)
   select 'u' || (1 + (i * 13 + k * 17) % ${PEOPLE}), 'made-' || i, true, 0
     from generate_series(1, ${MADE}) i, generate_series(1, 50) k on conflict do nothing`,
  `insert into private_channels (name, created_by, created_ts)
   select 'Private ' || i, 'u1', i from generate_series(1, ${PRIVATE}) i`,
  `insert into private_channel_members (channel_id, username, joined_ts)
   select id, 'u' || (1 + (id * 13 + k * 17) % ${PEOPLE}), 0 from private_channels, generate_series(1, 20) k
       on conflict do nothing`,
  `insert into channels (id, clock_us, newest_ts, message_count)
   select 'made-' || i, i, i, i from generate_series(1, ${MADE}) i
   union all select 'private:' || id, id, id, id from private_channels`,
  `insert into thread_follows (username, root_id, channel, following, changed_ts)
   select 'u50', thread_id, channel, true, 0
     from (select distinct on (thread_id) thread_id, channel from messages
            where thread_id is not null and channel like 'c%' order by thread_id desc limit 2000) threads`,
  `update users set role = 'guest' where username in ('u7', 'u8', 'u9')`,
])
  await pool.query(statement)
await backing.admin('vacuum analyze')

const asked: { sql: string; values: unknown[] }[] = []
type Query = string | { text: string; values?: unknown[] }
const db = {
  query(query: Query, values: unknown[] = []) {
    asked.push(
      typeof query === 'string'
        ? { sql: query, values }
        : { sql: query.text, values: query.values ?? values },
    )
    return (pool as unknown as Db).query(query as string, values)
  },
} as unknown as Db
const stores = {
  db,
  settings: { current: { channels } },
  clock: { now: () => end + 100 },
} as unknown as Stores
const admins = (query: Record<string, string>) => listChannels(stores, channelFilterIn(query))
const filter = { channel: undefined, unreadOnly: false, ownOnly: false, limit: 51, after: undefined }
const wish = (setting: 'retention_days' | 'retention_max_gb', value: number) =>
  previewRetention(stores, { setting, value })

for (const sort of ['newest', 'members', 'messages', 'name']) {
  await measure(`/admin/channels by ${sort}`, () => admins({ sort }))
}
await measure('/admin/channels, private ones with a word', () => admins({ list: 'private', q: '77' }))
const days = (end + 100 - BEGIN) / (24 * 3_600)
await measure('/admin/retention, half of all messages', () => wish('retention_days', days / 2))
await measure('/admin/retention, files beyond a size', () => wish('retention_max_gb', 1))
await measure('/threads', () => followedThreads(stores, 'u50', filter))
await measure('/threads, unread ones', () => followedThreads(stores, 'u50', { ...filter, unreadOnly: true }))
await measure('/sidebar', () => sidebar.read(stores, ['u50']))
await measure('/sidebar of a guest', () => sidebar.read(stores, ['u7']))
await measure('/channel_info', () => channelInfo.read(stores, ['u50'], 'c1'))
await measure('access to a public channel', () => publicAccess(stores, 'u50', 'c1', false))
await measure('access to a private channel', () => privateAccess(stores, 'u50', 1, true))
for (const count of [1, 20]) {
  const { rows } = await pool.query(
    `select id from messages where channel = 'c1' and ts > $1 order by ts limit $2`,
    [end - 100, count],
  )
  const ids: number[] = rows.map(row => row.id)
  const { items } = await linkedMessages(stores, 'u50', new Map(ids.map(id => [id, undefined])))
  const held = new Map(items.map(({ mark, message }) => [message.id, mark]))
  const ask = () => linkedMessages(stores, 'u50', held)
  await measure(`/linked_messages, ${count} held`, ask)
  const before = await processorTime()
  for (let i = 0; i < REPEATED; i++) await ask()
  const each = ((await processorTime()) - before) / REPEATED
  console.log(`  processor time of PostgreSQL, each of ${REPEATED}: ${each.toFixed(2)} ms`)
}

await pool.end()
await backing.drop()
await closeRunBacking()

/** Processor time of the PostgreSQL process behind the pool's only connection. */
async function processorTime(): Promise<Milliseconds> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  const [, rest] = /\) (.*)/s.exec(readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8'))!
  const fields = rest!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK
}

/** Measures the second run; the first warms the cache. */
async function measure(name: string, question: () => Promise<unknown>) {
  await question()
  asked.length = 0
  const began = performance.now()
  await question()
  const took = performance.now() - began
  console.log(`\n${name}: ${took.toFixed(1)} ms, ${asked.length} statement(s)`)
  for (const { sql, values } of asked.slice()) {
    const plan = await pool.query(`explain (analyze, buffers, costs off, timing off) ${sql}`, values)
    const lines = plan.rows.map(row => String(row['QUERY PLAN']).trim())
    console.log(`  ${lines.find(line => line.startsWith('Buffers')) ?? ''}, ${lines.at(-1)}`)
    const scans = lines.filter(line => /Seq Scan/.test(line) && !/never/.test(line))
    for (const line of scans) console.log(`    ${line.replace(/^->\s*/, '')}`)
  }
}
