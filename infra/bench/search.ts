/**
 * Search over a large office: p50 and p99 per kind of query with eight searches at once, beside the bare SQL of the same
 * words, and the plans of the slowest kinds.
 *
 *   node infra/bench/search.ts [messages in each of 200 channels, default 5000] [searches of each kind, default 200]
 *     [--database=postgres://superuser:password@host:port/name] [--no-reference] [--natural]
 *
 * `--database`: fills that database at the first run and keeps it for the next ones. `--natural`: as many messages in
 * all, of natural English, in place of random digits (natural-search.ts).
 */
import pg from 'pg'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { parseSearch } from '#shared/domain/search-query.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { migrate } from '#shared/stores/migrate.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { prepareDatabase } from '#shared/stores/roles.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { inTurn } from '../../services/api/search/in-turn.ts'
import { search } from '../../services/api/search/search.ts'
import { seedNatural } from './natural-office.ts'
import { benchNatural } from './natural-search.ts'
import { BEGIN, officeOf, seedOffice } from './office-data.ts'

const options = process.argv.slice(2)
const keptUrl = options.find(option => option.startsWith('--database='))?.slice('--database='.length)
const numbers = options.filter(option => !option.startsWith('--')).map(Number)
const EACH = numbers[0] ?? 5_000
const SEARCHES = numbers[1] ?? 200
const AT_ONCE = 8
const PEOPLE = 2_000
const SLOWEST = 3
/** Unbounded: minutes for each kind over millions of messages. */
const BARE = !options.includes('--no-reference')
const NATURAL = options.includes('--natural')

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const backing = keptUrl === undefined ? await testBacking() : undefined
const databaseUrl = backing?.env.DATABASE_URL ?? (await keptDatabase(keptUrl!))
const pool = new pg.Pool({ connectionString: databaseUrl, max: AT_ONCE })
if (backing) await seed(backing.admin, backing.adminDatabaseUrl)
if (NATURAL) {
  console.log(`${(EACH * 200).toLocaleString('en')} messages of natural English, ${AT_ONCE} at once`)
  await benchNatural(pool, BEGIN + EACH * 200 + 1)
  await finish()
}
const { channels, end } = officeOf(EACH)
const storesWith = (channels: string[]) =>
  ({ db: pool, pool, settings: { current: { channels } } }) as unknown as Stores
const inSome = storesWith(channels)
const inTwo = storesWith(channels.slice(0, 2))
const everywhere = await pool.query<{ id: string }>('select id from channels')
const inAll = storesWith(everywhere.rows.map(row => row.id))

/** Fixed, so that runs can be compared. */
let last = 1
const random = (most: number) => {
  last = (last * 48_271) % 2_147_483_647
  return last % most
}
const hex = (length: number) => Array.from({ length }, () => random(16).toString(16)).join('')
const person = () => `u${1 + random(PEOPLE)}`
const channel = () => `c${1 + random(20)}`

/** Without `stores`, of a person in a tenth of the channels. */
const KINDS: [kind: string, query: () => string, stores?: Stores][] = [
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
  ['one letter', () => hex(1)],
  ['common words that never meet', () => '"watchdog quick"'],
  ['three letters, in all channels', () => hex(3), inAll],
  ['four letters, in all channels', () => hex(4), inAll],
  ['two letters, in all channels', () => hex(2), inAll],
  ['three letters, in four channels', () => hex(3), inTwo],
  ['a rare word, in four channels', () => hex(6), inTwo],
  ['two letters, in four channels', () => hex(2), inTwo],
]

interface Figures {
  kind: string
  p50: number
  p99: number
  reference: number | undefined
  example: string
  stores: Stores
}

console.log(
  `${(EACH * 200).toLocaleString('en')} messages, ${SEARCHES} searches of each kind, ${AT_ONCE} at once\n`,
)
console.log('| kind | example | p50 ms | p99 ms | bare SQL p99 ms | hits shown | complete | exact total |')
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
const all: Figures[] = []
for (const [kind, query, stores = inSome] of KINDS) {
  const found: SearchPayload[] = []
  await timesOf(AT_ONCE, worker => run(stores, query(), worker))
  const times = await timesOf(SEARCHES, async worker => found.push(await run(stores, query(), worker)))
  const example = query()
  const word = BARE && stores === inSome ? example.split(' ').find(one => /^\w+$/.test(one)) : undefined
  const bareTimes = word === undefined ? undefined : await timesOf(SEARCHES, () => bare(word))
  const figures = {
    kind,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    reference: bareTimes && at(bareTimes, 0.99),
    example,
    stores,
  }
  const share = (which: (page: SearchPayload) => boolean) =>
    `${Math.round((found.filter(which).length / found.length) * 100)} %`
  const hits = found.reduce((sum, page) => sum + page.items.length, 0) / found.length
  all.push(figures)
  const reference = figures.reference?.toFixed(1) ?? ''
  console.log(
    `| ${kind} | \`${example}\` | ${figures.p50.toFixed(1)} | ${figures.p99.toFixed(1)} | ${reference} | ${hits.toFixed(0)} | ${share(page => page.complete)} | ${share(page => page.total_is === 'exact')} |`,
  )
}
for (const { kind, example, p99, stores } of all.sort((a, b) => b.p99 - a.p99).slice(0, SLOWEST)) {
  console.log(`\n${kind}: \`${example}\`, p99 ${p99.toFixed(0)} ms`)
  await explain(stores, example)
}

await finish()

async function finish(): Promise<never> {
  await pool.end()
  await backing?.drop()
  await closeRunBacking()
  process.exit()
}

async function seed(admin: (statements: string) => Promise<unknown>, adminUrl: string) {
  const one = new pg.Pool({ connectionString: adminUrl, max: 1 })
  if (NATURAL) await seedNatural(one, EACH * 200)
  else await seedOffice(admin, one, { people: PEOPLE, each: EACH })
  await one.end()
}

/** As the route does, for a person of each worker: searches of one person wait for each other. */
function run(stores: Stores, text: string, worker: number) {
  const query = parseSearch(text, end, 'UTC')
  const viewer = `u${1_000 + worker}`
  return inTurn(stores, viewer, tx =>
    search(stores, viewer, { query, sort: 'newest', limit: 50, cursor: undefined, mark: '' }, tx),
  )
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

async function timesOf(count: number, act: (worker: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      while (left-- > 0) {
        const began = performance.now()
        await act(worker)
        times.push(performance.now() - began)
      }
    }),
  )
  return times.sort((a, b) => a - b)
}

function at(times: number[], share: number) {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!
}

async function explain(stores: Stores, text: string) {
  const query = parseSearch(text, end, 'UTC')
  await inTurn(stores, 'u50', async tx => {
    const db = {
      async query(sql: string, values?: unknown[]) {
        if (!/^\s*(select|with|\()/.test(sql)) return tx.query(sql, values)
        const plan = await tx.query<Record<string, string>>(
          `explain (analyze, costs off, buffers) ${sql}`,
          values,
        )
        for (const row of plan.rows) console.log(`  ${row['QUERY PLAN']}`)
        console.log('')
        return tx.query(sql, values)
      },
    } as unknown as Db
    await search(stores, 'u50', { query, sort: 'newest', limit: 50, cursor: undefined, mark: '' }, db)
  })
}

/** Migrates the database of a superuser's address, which is created and filled first if it has no messages. Stays. */
async function keptDatabase(adminUrl: string): Promise<string> {
  const name = new URL(adminUrl).pathname.slice(1)
  const passwords = { owner: 'bench', app: 'bench' }
  const server = new pg.Client({ connectionString: withDatabase(adminUrl, 'postgres') })
  await server.connect()
  const { rowCount } = await server.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await server.query(`create database ${server.escapeIdentifier(name)}`)
  await server.end()
  const urls = await prepareDatabase(adminUrl, passwords)
  await migrate(urls.owner)
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1 })
  const filled = await admin.query('select from messages limit 1')
  if (filled.rowCount === 0) await seed(sql => admin.query(sql), adminUrl)
  await admin.end()
  return urls.app
}
