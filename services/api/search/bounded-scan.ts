/**
 * Finds hits in the order of results, step by step, until there are enough or the time is over. A step reads either the
 * next messages of the place, or the next span of time by the trigram index. Steps grow while they are fast.
 */
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Scan } from './conditions.ts'
import type { Position } from './queries.ts'
import { StepLimit } from './step-limit.ts'
import { type Extent, findExtent, readSegment, type Segment, type Trigrams, walk } from './steps.ts'

export interface Bounds {
  /** Messages of the first walk. */
  firstRows: number
  mostRows: number
  /** Messages in the first segment, about. */
  segmentRows: number
  /** For a page that is full, to count the others. */
  counting: Milliseconds
  /** For a page that is not full. */
  page: Milliseconds
}

export const BOUNDS: Bounds = {
  firstRows: 200,
  mostRows: 100_000,
  segmentRows: 4_000,
  counting: 25,
  page: 36,
}

/** Added to the time of a page before a step is cancelled. */
const GRACE: Milliseconds = 8
/** Hits that the next step of the index should find at most. */
const AIM = 500
/** Hits among walked messages, above which the index would read too many texts. */
const DENSE = 0.05

export interface Wanted {
  /** The start of the search, by `performance.now()`. */
  began: Milliseconds
  /** Hits of a page, and one that tells whether there are others. */
  page: number
  /** Hits to count. */
  most: number
  /** Undefined: no word has a trigram. */
  trigrams: Trigrams | undefined
  /** An index has the few messages among which the hits are. */
  isNarrow: boolean
}

export interface Scanned {
  hits: Position[]
  /** The last place up to which all hits were found; undefined if all were found, or `most`. */
  end: Position | undefined
  /** Messages walked. */
  looked: number
}

type Way = 'walk' | 'index'

interface State {
  at: Position | undefined
  hits: Position[]
  looked: number
  rows: number
  segments: number
  span: Seconds | undefined
  extent: Extent | undefined
  /** Seconds of time passed in a millisecond. */
  speed: { [way in Way]?: number }
}

/** `db`: a transaction that only reads. */
export async function scanHits(
  db: Db,
  scan: Scan,
  after: Position | undefined,
  wanted: Wanted,
  bounds: Bounds = BOUNDS,
): Promise<Scanned> {
  const limit = new StepLimit(db)
  const scanned = await scanWithin(limit, db, scan, after, wanted, bounds)
  await limit.lift()
  return scanned
}

async function scanWithin(
  stepLimit: StepLimit,
  db: Db,
  scan: Scan,
  after: Position | undefined,
  wanted: Wanted,
  bounds: Bounds,
): Promise<Scanned> {
  const elapsed = () => performance.now() - wanted.began
  const state: State = {
    at: after,
    hits: [],
    looked: 0,
    rows: bounds.firstRows,
    segments: 0,
    span: undefined,
    extent: undefined,
    speed: {},
  }
  for (;;) {
    const way = nextWay(state, wanted, bounds)
    const stepBegan = performance.now()
    const before = state.at
    const count = state.hits.length
    const isOwed = !isWorkDone(state) || !hasProgress(scan, after, state.at)
    const step = () =>
      way === 'walk' ? walkOn(db, scan, state, wanted, bounds) : segmentOn(db, scan, state, wanted, bounds)
    // Steps that are owed come before all others.
    const isFinished = isOwed ? await step() : await stepLimit.within(bounds.page + GRACE - elapsed(), step)
    if (isFinished === undefined) break
    if (isFinished || state.hits.length >= wanted.most) {
      return { hits: state.hits.slice(0, wanted.most), end: undefined, looked: state.looked }
    }
    const took = Math.max(0.1, performance.now() - stepBegan)
    if (before && state.at) state.speed[way] = Math.abs(state.at.ts - before.ts) / took
    grow(state, way, state.hits.length - count, took, bounds, bounds.page - elapsed())
    if (!isWorkDone(state) || !hasProgress(scan, after, state.at)) continue
    if (wanted.trigrams === undefined && state.looked >= bounds.mostRows) break
    if (elapsed() > (state.hits.length >= wanted.page ? bounds.counting : bounds.page)) break
  }
  return { hits: state.hits, end: state.at, looked: state.looked }
}

/** Among few messages a walk may be faster than the index: by the time that each passed in its last step. */
function nextWay(
  { segments, looked, hits, speed }: State,
  { trigrams, isNarrow }: Wanted,
  { mostRows }: Bounds,
): Way {
  if (trigrams === undefined) return 'walk'
  if (!isNarrow || looked >= mostRows) return 'index'
  if (looked === 0 || speed.walk === undefined) return 'walk'
  if (segments === 0) return hits.length > looked * DENSE ? 'walk' : 'index'
  return speed.walk > (speed.index ?? 0) ? 'walk' : 'index'
}

const isWorkDone = ({ looked, segments }: State) => looked > 0 || segments > 0

/** A cursor is in whole seconds: the next page must begin beyond this one. */
const hasProgress = ({ sort }: Scan, from: Position | undefined, at: Position | undefined) =>
  from === undefined ||
  (at !== undefined &&
    (sort === 'newest'
      ? Math.ceil(at.ts) < from.ts || (Math.ceil(at.ts) === from.ts && from.id > 0)
      : Math.floor(at.ts) > from.ts))

async function walkOn(db: Db, scan: Scan, state: State, { most }: Wanted, { mostRows }: Bounds) {
  const rows = Math.max(1, Math.min(state.rows, mostRows - state.looked))
  const { hits, end } = await walk(db, scan, state.at, rows, most - state.hits.length)
  state.looked += rows
  state.hits.push(...hits)
  state.at = end ?? state.at
  return end === undefined
}

async function segmentOn(
  db: Db,
  scan: Scan,
  state: State,
  { trigrams, most }: Wanted,
  { segmentRows }: Bounds,
) {
  state.extent ??= await findExtent(db, scan, startOf(scan, state.at), segmentRows)
  const segment = segmentAt(scan, state, state.extent)
  if (segment === undefined) return true
  state.hits.push(...(await readSegment(db, scan, trigrams!, segment, most - state.hits.length)))
  state.segments++
  // Ids are positive: beyond all messages of this moment that the segment has.
  if (segment.until !== undefined) state.at = { ts: segment.until, id: 0 }
  return segment.until === undefined
}

/** The time at which a scan begins or goes on; undefined at the first message. */
const startOf = ({ sort, query }: Scan, at: Position | undefined): Seconds | undefined =>
  at?.ts ?? (sort === 'newest' ? query.end : query.start)

/** Undefined if nothing is left. */
function segmentAt({ sort, query }: Scan, state: State, extent: Extent): Segment | undefined {
  if (extent.oldest === null || extent.newest === null) return undefined
  const oldest = Math.max(query.start ?? -Infinity, extent.oldest)
  const newest = Math.min(query.end ?? Infinity, extent.newest)
  const after = state.at
  if (sort === 'newest') {
    const from = Math.min(after?.ts ?? Infinity, newest)
    state.span ??= extent.reach === null ? Infinity : from - extent.reach
    const until = Math.floor(from - Math.max(1, state.span))
    const isLast = until <= oldest
    return isLast
      ? { after, until: undefined, times: query.start === undefined ? undefined : [oldest, from] }
      : { after, until, times: [until, from] }
  }
  const from = Math.max(after?.ts ?? -Infinity, oldest)
  state.span ??= extent.reach === null ? Infinity : extent.reach - from
  const until = Math.ceil(from + Math.max(1, state.span))
  const isLast = until > newest
  return isLast
    ? { after, until: undefined, times: query.end === undefined ? undefined : [from, newest] }
    : { after, until, times: [from, until] }
}

/** Steps grow while they find few hits and are fast. */
function grow(
  state: State,
  way: Way,
  found: number,
  took: Milliseconds,
  { mostRows }: Bounds,
  left: Milliseconds,
) {
  const byHits = AIM / (found + 1)
  // Much of a short step is planning.
  const byTime = (3 * Math.max(0, left)) / took
  const factor = Math.max(0.25, Math.min(byHits, byTime, 64))
  // The time of a walk is in proportion to its messages.
  const walked = Math.min(factor, 4, Math.max(0.1, left / took))
  if (way === 'walk') state.rows = Math.min(mostRows, Math.ceil(state.rows * walked))
  else state.span! *= factor
}
