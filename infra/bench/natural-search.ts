/**
 * Searches of natural English over 5,000 channels: time and requests until the first page is complete, eight at once,
 * beside both plans as bare SQL; then what others wait while one person has 60 searches under way.
 */
import type pg from 'pg'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { parseSearch } from '#shared/domain/search-query.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { cursorFrom } from '../../services/api/search/cursor.ts'
import { inTurn } from '../../services/api/search/in-turn.ts'
import { search } from '../../services/api/search/search.ts'
import { corpus } from './corpus.ts'
import { GUESTS_OF_50, GUESTS_OF_2000, MEMBERS, seedReaders } from './natural-office.ts'
import { queriesOf } from './natural-queries.ts'

const AT_ONCE = 8
const LIMIT = 50
const MOST_REQUESTS = 250
/** Time limit of a reference, ms: a longer one is worse than any search. */
const STATEMENT = 1_000
const HOSTILE = 60
const HOSTILE_MEMBER = MEMBERS.at(-1)!
const OTHERS = 100

interface Found {
  ms: number
  requests: number
  page: SearchPayload
}

export async function benchNatural(pool: pg.Pool, end: number) {
  await seedReaders(pool)
  const stores = { db: pool, pool, settings: { current: { channels: ['general'] } } } as unknown as Stores
  const kinds = queriesOf(corpus())
  const readers: [string, string[]][] = [
    ['members, 2,000 of 5,000 channels joined', MEMBERS],
    ['guests of 2,000 of 5,000 channels', GUESTS_OF_2000],
    ['guests of 50 of 5,000 channels', GUESTS_OF_50],
  ]
  for (const [title, people] of readers) {
    const isFirst = people === MEMBERS
    console.log(`\n${title}\n`)
    console.log('| kind | example | first page complete, p50 / p95 ms | requests p50 / max | exact total |')
    console.log(
      `| --- | --- | --- | --- | --- |${isFirst ? ' by the index p50 / p95 ms | by the walk p50 / p95 ms |' : ''}`,
    )
    for (const [kind, queries] of Object.entries(kinds)) {
      const run = () => all(queries, people, (query, who) => firstPage(stores, who, query, end))
      await run()
      const found = await run()
      const exact = found.filter(({ page }) => page.total_is === 'exact').length
      const bare: string[] = []
      if (isFirst)
        for (const plan of [byIndex, byWalk]) {
          const times = await all(queries, people, query => timed(() => plan(pool, query)))
          bare.push(` ${span(times)} |`)
        }
      const requests = found.map(one => one.requests).sort((a, b) => a - b)
      console.log(
        `| ${kind} | \`${queries[0]}\` | ${span(found.map(one => one.ms))} | ${at(requests, 0.5)} / ${requests.at(-1)} | ${exact} of ${found.length} |${bare.join('')}`,
      )
    }
  }
  await fairness(stores, kinds, end)
}

/** The median of others, alone and while one person has many searches under way that are dear. */
async function fairness(stores: Stores, kinds: Record<string, string[]>, end: number) {
  const queries = kinds['a usual word']!
  const others = async () => {
    const times: number[] = []
    for (let i = 0; i < OTHERS; i++)
      times.push((await firstPage(stores, MEMBERS[i % 50]!, queries[i % queries.length]!, end)).ms)
    return at(
      times.sort((a, b) => a - b),
      0.5,
    )
  }
  const alone = await others()
  let isOver = false
  const dear = [...kinds['a phrase of three words']!, ...kinds['two usual words']!, '"the of"', 'zq']
  const hostile = Array.from({ length: HOSTILE }, async (_, i) => {
    for (let at = i; !isOver; at++)
      await firstPage(stores, HOSTILE_MEMBER, dear[at % dear.length]!, end).catch(() => {})
  })
  const beside = await others()
  isOver = true
  await Promise.all(hostile)
  console.log(
    `\nothers, median: ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside ${HOSTILE} searches of one person: × ${(beside / alone).toFixed(1)}`,
  )
}

/** As the client does. */
async function firstPage(stores: Stores, who: string, text: string, end: number): Promise<Found> {
  const query = parseSearch(text, end, 'UTC')
  const began = performance.now()
  let cursor: ReturnType<typeof cursorFrom>
  let count = 0
  for (let requests = 1; ; requests++) {
    const request = { query, sort: 'newest' as const, limit: LIMIT, cursor, mark: '' }
    const page = await inTurn(stores, who, tx => search(stores, who, request, tx))
    count += page.items.length
    if (page.complete || page.next === null || count >= LIMIT || requests >= MOST_REQUESTS)
      return { ms: performance.now() - began, requests, page }
    cursor = cursorFrom(page.next)
  }
}

const patternsOf = (query: string) =>
  (query.match(/"[^"]*"|\S+/g) ?? []).map(word => `%${word.replaceAll('"', '')}%`)

/** The newest texts by the trigram index, whoever may read them. */
const byIndex = (pool: pg.Pool, query: string) =>
  bare(
    pool,
    query,
    words => `select message_id from message_texts where ${words} order by ts desc limit ${LIMIT}`,
  )

/** The newest messages one by one, whoever may read them. */
const byWalk = (pool: pg.Pool, query: string) =>
  bare(
    pool,
    query,
    words =>
      `select id from messages where deleted = 0 and (${words}) is not false order by ts desc limit ${LIMIT}`,
  )

async function bare(pool: pg.Pool, query: string, sqlOf: (words: string) => string) {
  const patterns = patternsOf(query)
  const words = patterns.map((_, i) => `content ilike $${i + 1}`).join(' and ')
  const client = await pool.connect()
  try {
    await client.query(
      `begin; set local jit = off; set local max_parallel_workers_per_gather = 0; set local enable_seqscan = off;
       set local statement_timeout = ${STATEMENT}`,
    )
    await client.query(sqlOf(words), patterns)
  } catch {
    // Counts as the longest time.
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** Eight at once, each of another person. */
async function all<T>(
  queries: string[],
  people: string[],
  act: (query: string, who: string) => Promise<T>,
): Promise<T[]> {
  const found: T[] = []
  const left = queries.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (const query of left) found.push(await act(query, people[worker]!))
    }),
  )
  return found
}

const span = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return `${at(sorted, 0.5).toFixed(0)} / ${at(sorted, 0.95).toFixed(0)}`
}
const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
