import type { SearchHitPayload, SearchPayload } from '#shared/domain/payloads/search.ts'
import { matchesIn, type SearchQuery } from '#shared/domain/search-query.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Bounds, type Scanned, scanHits } from './bounded-scan.ts'
import type { Scan } from './conditions.ts'
import { type Cursor, cursorText } from './cursor.ts'
import { type HitRow, type Position, type Resolved, readHits } from './queries.ts'
import { reachOf } from './readable.ts'
import { resolveNames } from './resolve.ts'
import type { Trigrams } from './steps.ts'
import { ofAscii, wordsOf } from './words.ts'

/** Hits are counted up to here. */
const MOST_COUNTED = 1_000
/** In every text with a link, so that the index finds these. */
const LINK = ofAscii('http')

export interface SearchRequest {
  query: SearchQuery
  sort: Scan['sort']
  limit: number
  cursor: Cursor | undefined
  /** For the cursor of the next page. */
  mark: string
  /** The only channels in which it looks; undefined: all that the viewer reads. */
  among?: readonly ChannelId[] | undefined
}

/**
 * A page of the messages that match the query and that the viewer may read. `db`: a transaction of
 * `inTurn`.
 */
export async function search(
  stores: Stores,
  viewer: Username,
  { query, sort, limit, cursor, mark, among }: SearchRequest,
  db: Db,
  bounds?: Bounds,
): Promise<SearchPayload> {
  const names = await resolveNames({ ...stores, db }, viewer, query)
  const { words, fileNames } = await wordsOf(db, query)
  const scan: Scan = {
    query,
    words: query.has.yes.includes('link') ? { ...words, yes: [...words.yes, LINK] } : words,
    fileNames,
    names,
    sort,
    inFileNames: true,
    reach: await reachOf({ ...stores, db }, viewer, {
      yes: channelsOf(names, among),
      no: names.channels.no,
      is: query.is,
    }),
  }
  // The first page counts.
  const most = cursor ? limit + 1 : Math.max(MOST_COUNTED, limit) + 1
  const wanted = { page: limit + 1, most, trigrams: trigramsFor(scan) }
  const { hits: found, end }: Pick<Scanned, 'hits' | 'end'> = isImpossible(scan)
    ? { hits: [], end: undefined }
    : await scanHits(db, scan, cursor?.at, wanted, bounds)
  const isFull = found.length > limit
  const scanEnd = end === undefined || isFull ? undefined : wholeSecond(end, sort)
  const hits = scanEnd === undefined ? found : found.filter(hit => isBefore(hit.ts, scanEnd, sort))
  const total = cursor
    ? { total: cursor.total, total_is: cursor.totalIs }
    : {
        total: Math.min(hits.length, MOST_COUNTED),
        total_is: hits.length > MOST_COUNTED || end !== undefined ? ('more' as const) : ('exact' as const),
      }
  const next = placeOfNext(hits, limit, scanEnd)
  return {
    items: await withTexts(db, hits.slice(0, limit), query.words.yes),
    next: next ? cursorText({ sort, of: mark, at: next, total: total.total, totalIs: total.total_is }) : null,
    ...total,
    complete: scanEnd === undefined,
    ...(scanEnd === undefined ? {} : { searched_back_to: scanEnd }),
    parsed: { problems: [...query.problems, ...names.problems] },
  }
}

function channelsOf({ channels }: Resolved, among: readonly ChannelId[] | undefined) {
  const wanted = channels.isFiltered ? channels.yes : undefined
  if (among === undefined) return wanted
  return wanted === undefined ? [...among] : wanted.filter(channel => among.includes(channel))
}

const isImpossible = ({ reach: { few }, names: { senders } }: Scan) =>
  few?.length === 0 || (senders.isFiltered && senders.yes.length === 0)

/** Undefined if no word and no file name has a trigram. */
export function trigramsFor({ words, fileNames }: Scan): Trigrams | undefined {
  if (![...fileNames.yes, ...words.yes].some(word => word.hasTrigram)) return undefined
  return fileNames.yes.length > 0 ? 'names' : 'texts'
}

/** Whole, because the last message may be one that the viewer cannot read. */
const wholeSecond = ({ ts }: Position, sort: Scan['sort']) =>
  sort === 'newest' ? Math.ceil(ts) : Math.floor(ts)

const isBefore = (ts: Seconds, end: Seconds, sort: Scan['sort']) => (sort === 'newest' ? ts >= end : ts < end)

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
