/**
 * A large office: 2,000 people, 200 channels (20 public, 180 DMs), a million messages. Prints for each hot query its
 * time, the scans in its plan (EXPLAIN), and the rows that they touched.
 *
 *   node infra/bench/seed.ts [messages in each channel, default 5000] [people, default 2000]
 */
import pg from 'pg'
import { channelUnreads } from '#shared/collections/channel-unreads.ts'
import type { ChannelCollection, GlobalCollection } from '#shared/collections/collection.ts'
import { channelCollections, extraCollections, globalCollections } from '#shared/collections/index.ts'
import { messages } from '#shared/collections/messages.ts'
import { readSeen } from '#shared/collections/seen.ts'
import { parseSearch } from '#shared/domain/search-query.ts'
import { insertMessages } from '#shared/posting/insert-messages.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { markRead } from '../../services/api/channels/read-state/read-marker.ts'
import { aroundTime, newestBefore } from '../../services/api/messages/history.ts'
import { type SearchFilters, search } from '../../services/api/messages/search.ts'
import { inTurn } from '../../services/api/search/in-turn.ts'
import { search as searchByQuery } from '../../services/api/search/search.ts'
import { BEGIN, seedOffice } from './office-data.ts'

const PEOPLE = Number(process.argv[3] ?? 2_000)
const EACH = Number(process.argv[2] ?? 5_000)

const backing = await testBacking()
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL })
const { channels, end } = await seedOffice(backing.admin, pool, { people: PEOPLE, each: EACH })

const asked: { sql: string; values: unknown[] | undefined }[] = []
const noting = (db: pg.Pool | Db) =>
  ({
    query(sql: string, values?: unknown[]) {
      // Without settings and savepoints.
      if (/^\s*(select|insert|update|with|\()/.test(sql)) asked.push({ sql, values })
      return (db as Db).query(sql, values)
    },
  }) as Db
const stores = {
  db: noting(pool),
  pool: {
    connect: async () => {
      const client = await pool.connect()
      return { query: noting(client).query, release: () => client.release() }
    },
  },
  settings: { current: { channels } },
  clock: { now: () => end + 100 },
} as unknown as Stores

const anyChannel = {
  kind: 'public' as const,
  participants: [],
  privateId: undefined,
  historyStart: 0,
  role: null,
  isArchived: false,
  posting: 'everyone' as const,
  manages: null,
}
const everybody = Array.from({ length: PEOPLE }, (_, i) => `u${i + 1}`)
for (const collection of [...globalCollections, ...extraCollections] as GlobalCollection[]) {
  await measure(`${collection.event}, one viewer`, () => collection.read(stores, ['u50']))
  await measure(`${collection.event}, ${PEOPLE} viewers`, () => collection.read(stores, everybody), false)
}
for (const collection of channelCollections as ChannelCollection[]) {
  if (collection.event === 'typing') continue // in Redis
  await measure(collection.event, () => collection.read(stores, ['u50'], 'c1'))
}
await measure('seen', () => readSeen(stores, ['u50'], 'c1'))
await measure(`channel_unreads of one channel, ${PEOPLE} viewers`, () =>
  channelUnreads.readPart(stores, everybody, ['c1']),
)
await measure('messages after a cursor', () => messages.read(stores, ['u1'], 'c1', end - 10, 500))
await measure('a page of history', () =>
  drain(newestBefore(stores, 'u1', { ...anyChannel, id: 'c1' }, BEGIN + 2_000, 60)),
)
await measure('the history around a time', () =>
  drain(aroundTime(stores, 'u1', { ...anyChannel, id: 'c1' }, BEGIN + 2_000, 120)),
)
const searches: SearchFilters[] = [
  { q: 'watchdog' },
  { q: 'a1b2c3' },
  { q: 'zz' },
  { q: 'zz', channel: 'c3' },
  { q: 'zz', from: 'u7' },
  { q: 'nowhere to be found' },
  { from: 'U7' },
  { from: 'u7', q: 'watchdog' },
  { channel: 'c3', q: '9f' },
  { has: 'image' },
  { start: end - 1 },
  { q: 'watchdog', end: BEGIN + 100 },
]
for (const filters of searches) {
  await measure(`search ${JSON.stringify(filters)}`, () => search(stores, 'u50', filters))
}
// For reference: the search without its bound.
await measure('search {"q":"zz"} through everything', () => search(stores, 'u50', { q: 'zz' }, EACH * 200))
const queries = [
  'watchdog',
  'quick watchdog',
  'watchdog a1b2c3',
  'a1b2c3 from:u7',
  'nowhere to be found',
  'zz',
  'zz in:c3',
  'zz from:u7 from:u8',
  'zz in:c3 in:c4',
  '-watchdog',
  'from:u7',
  'from:u7 from:u8 in:c3',
  'in:c3 has:reaction',
  'is:mention',
  'is:unread watchdog',
  'has:image',
  'watchdog on:2026-11-19',
]
for (const sort of ['newest', 'oldest'] as const) {
  for (const text of queries) {
    const query = parseSearch(text, end, 'UTC')
    await measure(`search, ${sort} first: ${text}`, () =>
      inTurn(stores, 'u50', tx =>
        searchByQuery(stores, 'u50', { query, sort, limit: 50, cursor: undefined, mark: '' }, noting(tx)),
      ),
    )
  }
}
await measure('mark_read', () => markRead(stores.db, 'u50', 'c1'))
await measure('send', () =>
  insertMessages(stores.db, {
    channel: 'c1',
    sender: 'u50',
    rows: [{ content: 'hello', filename: null }],
    mentions: ['u7'],
    replyTo: undefined,
    memberOf: undefined,
    isConfigured: true,
    posting: 'everyone',
    clientId: undefined,
    participants: [],
  }),
)

await pool.end()
await backing.drop()
await closeRunBacking()

async function drain(pages: AsyncIterable<unknown>) {
  for await (const _page of pages);
}

/** Measures the second run; the first warms the cache. */
async function measure(name: string, question: () => Promise<unknown>, explain = true) {
  await question()
  asked.length = 0
  const began = performance.now()
  await question()
  const took = performance.now() - began
  console.log(`\n${name}: ${took.toFixed(1)} ms, ${asked.length} statement(s)`)
  if (!explain) return
  for (const { sql, values } of asked.slice()) {
    const plan = await pool.query(`explain (analyze, costs off, timing off, buffers off) ${sql}`, values)
    const lines = plan.rows.map(row => String(row['QUERY PLAN']).trim())
    // Function scans and CTEs are parameters; nodes that are never executed cost nothing.
    const scans = lines.filter(line => /Scan/.test(line) && !/Function|CTE|Subquery|never/.test(line))
    for (const line of scans) console.log(`  ${line.replace(/^->\s*/, '')}`)
  }
}
