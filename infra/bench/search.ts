/**
 * Search over a large office: p50 and p99 per kind of query with eight searches at once, beside the bare SQL of the same
 * words, and the plans of the slowest kinds.
 *
 *   node infra/bench/search.ts [messages in each of 200 channels, default 5000] [searches of each kind, default 200]
 */
import pg from 'pg'
import { parseSearch } from '#shared/domain/search-query.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { search } from '../../services/api/search/search.ts'
import { seedOffice } from './office-data.ts'

const EACH = Number(process.argv[2] ?? 5_000)
const SEARCHES = Number(process.argv[3] ?? 200)
const AT_ONCE = 8
const PEOPLE = 2_000
const SLOWEST = 3

const backing = await testBacking()
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: AT_ONCE })
const { channels, end } = await seedOffice(backing, pool, { people: PEOPLE, each: EACH })
const stores = { db: pool, pool, settings: { current: { channels } } } as unknown as Stores

/** Fixed, so that runs can be compared. */
let seed = 1
const random = (most: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % most
}
const hex = (length: number) => Array.from({ length }, () => random(16).toString(16)).join('')
const person = () => `u${1 + random(PEOPLE)}`
const channel = () => `c${1 + random(20)}`

const KINDS: [kind: string, query: () => string][] = [
  ['a word in every message', () => 'watchdog'],
  ['three letters', () => hex(3)],
  ['four letters', () => hex(4)],
  ['a rare word', () => hex(6)],
  ['no hit', () => `nowhere${hex(4)}`],
  ['two words', () => `${hex(3)} watchdog`],
  ['a phrase', () => '"quick watchdog"'],
  ['a word by a person', () => `watchdog from:${person()}`],
  ['a rare word in a channel', () => `${hex(4)} in:${channel()}`],
  ['a word without another', () => `${hex(4)} -${hex(3)}`],
  ['a word before a time', () => `${hex(3)} before:2026-11-19`],
  ['two letters', () => hex(2)],
  ['two rare letters', () => 'zz'],
  ['two letters in a channel', () => `${hex(2)} in:${channel()}`],
  ['two rare letters by a person', () => `zz from:${person()}`],
  ['a person', () => `from:${person()}`],
  ['a channel with reactions', () => `in:${channel()} has:reaction`],
  ['mentions', () => 'is:mention'],
  ['unread, with a word', () => `is:unread ${hex(3)}`],
  ['images', () => 'has:image'],
  ['links', () => 'has:link'],
]

interface Figures {
  kind: string
  p50: number
  p99: number
  reference: number | undefined
  example: string
}

console.log(
  `${(EACH * 200).toLocaleString('en')} messages, ${SEARCHES} searches of each kind, ${AT_ONCE} at once\n`,
)
console.log('| kind | example | p50 ms | p99 ms | bare SQL p99 ms |')
console.log('| --- | --- | --- | --- | --- |')
const all: Figures[] = []
for (const [kind, query] of KINDS) {
  await timesOf(AT_ONCE, () => run(query(), pool))
  const times = await timesOf(SEARCHES, () => run(query(), pool))
  const example = query()
  const word = example.split(' ').find(one => /^\w+$/.test(one))
  const bareTimes = word === undefined ? undefined : await timesOf(SEARCHES, () => bare(word))
  const figures = {
    kind,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    reference: bareTimes && at(bareTimes, 0.99),
    example,
  }
  all.push(figures)
  const reference = figures.reference?.toFixed(1) ?? ''
  console.log(
    `| ${kind} | \`${example}\` | ${figures.p50.toFixed(1)} | ${figures.p99.toFixed(1)} | ${reference} |`,
  )
}
for (const { kind, example, p99 } of all.sort((a, b) => b.p99 - a.p99).slice(0, SLOWEST)) {
  console.log(`\n${kind}: \`${example}\`, p99 ${p99.toFixed(0)} ms`)
  await explain(example)
}

await pool.end()
await backing.drop()
await closeRunBacking()

/** As the route does. */
function run(text: string, on: pg.Pool) {
  const query = parseSearch(text, end, 'UTC')
  return inTransaction(on, async tx => {
    await tx.query('set transaction isolation level repeatable read, read only')
    return search(stores, 'u50', { query, sort: 'newest', limit: 50, cursor: undefined }, tx)
  })
}

/** The newest 50 texts with the word, whoever may read them. */
function bare(word: string) {
  return pool.query(
    `select message.id, message.ts
       from message_texts text join messages message on message.id = text.message_id
      where text.content ilike $1
      order by message.ts desc
      limit 50`,
    [`%${word}%`],
  )
}

async function timesOf(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const began = performance.now()
        await act()
        times.push(performance.now() - began)
      }
    }),
  )
  return times.sort((a, b) => a - b)
}

function at(times: number[], share: number) {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!
}

async function explain(text: string) {
  const query = parseSearch(text, end, 'UTC')
  const db = {
    async query(sql: string, values?: unknown[]) {
      const plan = await pool.query(`explain (analyze, costs off, buffers) ${sql}`, values)
      for (const row of plan.rows) console.log(`  ${row['QUERY PLAN']}`)
      console.log('')
      return pool.query(sql, values)
    },
  } as unknown as Db
  await search(stores, 'u50', { query, sort: 'newest', limit: 50, cursor: undefined }, db)
}
