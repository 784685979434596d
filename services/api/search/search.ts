import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { SearchHitPayload, SearchPayload } from '#shared/domain/payloads.ts'
import { fold, matchesIn, type SearchQuery } from '#shared/domain/search-query.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Cursor, cursorText } from './cursor.ts'
import {
  type HitRow,
  haveTrigrams,
  hitsStatement,
  type Position,
  readHits,
  type Scan,
  type SearchOrder,
  type Source,
  scanEndStatement,
} from './queries.ts'
import { resolveNames } from './resolve.ts'

/** Hits are counted up to here. */
const MOST_COUNTED = 1_000
/** Messages scanned at most when the trigram index cannot be used. */
const LOOKED_THROUGH = 100_000

export interface SearchRequest {
  query: SearchQuery
  sort: SearchOrder['sort']
  limit: number
  cursor: Cursor | undefined
}

/**
 * A page of the messages that match the query and that the viewer may read. All statements of a page should see the same
 * rows: `db` is a transaction of isolation level repeatable read.
 */
export async function search(
  stores: Stores,
  viewer: Username,
  { query, sort, limit, cursor }: SearchRequest,
  db: Db = stores.db,
  looked = LOOKED_THROUGH,
): Promise<SearchPayload> {
  const names = await resolveNames({ ...stores, db }, viewer, query)
  const words = withoutContained(query.words.yes)
  const scan: Scan = {
    query: { ...query, words: { ...query.words, yes: words } },
    names,
    order: { sort, after: cursor?.at },
    readable: readableChannelsValues(stores, [viewer]),
  }
  const source = await sourceFor(db, scan, looked)
  const isIndexed = typeof source === 'string'
  // The first page counts.
  const most = cursor ? limit + 1 : Math.max(MOST_COUNTED, limit) + 1
  const found = await findHits(db, hitsStatement(scan, source, most))
  const scanEnd = isIndexed || found.length === most ? undefined : await findScanEnd(db, scan, looked)
  const hits = scanEnd === undefined ? found : found.filter(hit => isBefore(hit.ts, scanEnd, sort))
  const shown = hits.slice(0, limit)
  const total = cursor
    ? { total: cursor.total, total_is: cursor.totalIs }
    : {
        total: Math.min(hits.length, MOST_COUNTED),
        total_is:
          hits.length > MOST_COUNTED || scanEnd !== undefined ? ('more' as const) : ('exact' as const),
      }
  const next = placeOfNext(hits, limit, scanEnd)
  return {
    items: await withTexts(db, shown, words),
    next: next ? cursorText({ sort, at: next, total: total.total, totalIs: total.total_is }) : null,
    ...total,
    complete: scanEnd === undefined,
    ...(scanEnd === undefined ? {} : { searched_back_to: scanEnd }),
    parsed: { problems: [...query.problems, ...names.problems] },
  }
}

/** By trigrams if a word or a file name has one. */
async function sourceFor(db: Db, { query: { words, name } }: Scan, looked: number): Promise<Source> {
  const known = await haveTrigrams(db, [...name.yes, ...words.yes])
  if (!known.includes(true)) return { scan: looked }
  return name.yes.length > 0 ? 'names' : 'texts'
}

/** A word within another one adds nothing. */
function withoutContained(words: string[]): string[] {
  const unique = [...new Map(words.map(word => [fold(word), word])).entries()]
  return unique
    .filter(([folded]) => !unique.some(([other]) => other !== folded && other.includes(folded)))
    .map(([, word]) => word)
}

async function findHits(db: Db, { sql, values }: { sql: string; values: unknown[] }): Promise<Position[]> {
  return (await db.query<{ id: number; ts: Seconds }>(sql, values)).rows
}

/**
 * Returns the time up to which a bounded scan has found everything; undefined if nothing is beyond it. In whole seconds,
 * because the last message may be one that the viewer cannot read.
 */
async function findScanEnd(db: Db, scan: Scan, looked: number): Promise<Seconds | undefined> {
  const { sql, values } = scanEndStatement(scan, looked)
  const { rows } = await db.query<{ ts: Seconds }>(sql, values)
  if (rows.length < 2) return undefined
  return scan.order.sort === 'newest' ? Math.ceil(rows[0]!.ts) : Math.floor(rows[0]!.ts)
}

const isBefore = (ts: Seconds, end: Seconds, sort: SearchOrder['sort']) =>
  sort === 'newest' ? ts >= end : ts < end

function placeOfNext(hits: Position[], limit: number, scanEnd: Seconds | undefined): Position | undefined {
  if (hits.length > limit) return hits[limit - 1]
  if (scanEnd === undefined) return undefined
  // Ids are positive: before all messages of this moment.
  return { ts: scanEnd, id: 0 }
}

async function withTexts(db: Db, hits: Position[], words: string[]): Promise<SearchHitPayload[]> {
  const rows = new Map(
    (
      await readHits(
        db,
        hits.map(hit => hit.id),
      )
    ).map(row => [row.id, row]),
  )
  return hits.flatMap(hit => {
    const row = rows.get(hit.id)
    return row ? [payloadOf(row, words)] : []
  })
}

const payloadOf = ({ filename, ...row }: HitRow, words: string[]): SearchHitPayload => ({
  ...row,
  file: filename,
  match: matchesIn(row.content ?? '', words),
})
