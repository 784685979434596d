/**
 * Finds hits in the order of results until a page is full, all were found, or the rows of a request are used up. The first
 * messages of the place are walked; a sample of all texts then tells whether the trigram index reads the rest at once,
 * in spans of time, or not at all. Decided by rows: a loaded machine takes longer and finds the same.
 */
import type { Db } from '#shared/stores/postgres.ts'
import type { Scan } from './conditions.ts'
import type { Position } from './queries.ts'
import { type Estimate, estimate, floorOf, readTexts, sorted, type Trigrams, walk } from './steps.ts'

export interface Bounds {
  /** Messages of the first walk. */
  firstRows: number
  /** Messages, or texts of the index, that a statement reads. */
  stepRows: number
  /** Messages, or texts of the index, that a request reads. */
  mostRows: number
}

export const BOUNDS: Bounds = { firstRows: 1_000, stepRows: 20_000, mostRows: 100_000 }

/** Cost of a text of the index, in messages of a walk, which lie together. */
const TEXT_COST = 2
/** Below this share of readable messages, a walk reads channel by channel. */
const FEW_READABLE = 0.25
/** Largest number of counts whose texts a total reads; beyond it a span of time is faster. */
const FEW_COUNTS = 5
/** Pages of hits that a step of the index aims at. */
const PAGES_OF_STEP = 4

export interface Wanted {
  /** Hits of a page, and one that tells whether there are others. */
  page: number
  /** Hits to count. */
  most: number
  /** Undefined: no word has a trigram. */
  trigrams: Trigrams | undefined
}

export interface Scanned {
  hits: Position[]
  /** The last place up to which all hits were found; undefined if all were found, or `most`. */
  end: Position | undefined
  /** Messages walked. */
  walked: number
}

interface State {
  at: Position | undefined
  hits: Position[]
  walked: number
  /** Texts that the index has read, about. */
  texts: number
  /** Messages of all channels in what was read, about. */
  passed: number
  /** Sampled among walked messages; `readable`: those of them that the viewer may read. */
  sampled: number
  readable: number
}

/** `db`: a transaction that only reads. */
export async function scanHits(
  db: Db,
  scan: Scan,
  after: Position | undefined,
  wanted: Wanted,
  bounds: Bounds = BOUNDS,
): Promise<Scanned> {
  const state: State = { at: after, hits: [], walked: 0, texts: 0, passed: 0, sampled: 0, readable: 0 }
  const scanned = (end: Position | undefined): Scanned => ({
    hits: sorted(scan, state.hits).slice(0, wanted.most),
    end: state.hits.length >= wanted.most ? undefined : end,
    walked: state.walked,
  })
  const isOver = () =>
    state.hits.length >= wanted.most ||
    ((state.hits.length >= wanted.page || state.walked + state.texts >= bounds.mostRows) &&
      hasProgress(scan, after, state.at))
  const isRare = ({ texts }: Estimate) => texts <= bounds.stepRows / 2
  let known = wanted.trigrams && !isNarrow(scan) ? await estimate(db, scan) : undefined
  // For rare words the index alone does.
  if (!known || !isRare(known) || known.inReach <= bounds.firstRows) {
    if (await walkOn(db, scan, state, wanted, bounds.firstRows)) return scanned(undefined)
    known ??= wanted.trigrams && (await estimate(db, scan))
  }
  if (known && isRare(known)) {
    // Also for a page that is full: it counts.
    if (await countOn(db, scan, state, wanted, known, bounds)) return scanned(undefined)
    known.texts = Math.max(bounds.stepRows, known.texts)
  }
  for (let rows = bounds.firstRows; !isOver(); ) {
    rows = Math.min(4 * rows, bounds.stepRows, Math.max(1, bounds.mostRows - state.walked))
    const isFinished =
      known && isIndexBetter(known, state)
        ? await indexOn(db, scan, state, wanted, known, bounds, spanOfStep(state, wanted))
        : await walkOn(db, scan, state, wanted, rows)
    if (isFinished) return scanned(undefined)
  }
  return scanned(state.at)
}

/** A walk may soon have read all. */
const isNarrow = ({ query: { has, is, name }, names: { senders } }: Scan) =>
  senders.isFiltered || has.yes.length + is.yes.length + name.yes.length > 0

/** For what the walk has read, the index would have read fewer texts. */
const isIndexBetter = ({ texts, messages }: Estimate, { walked, passed }: State) =>
  walked === 0 || TEXT_COST * (texts / messages) * passed < walked

/** A cursor is in whole seconds: the next page must begin beyond this one. */
const hasProgress = ({ sort }: Scan, from: Position | undefined, at: Position | undefined) =>
  from === undefined ||
  (at !== undefined &&
    (sort === 'newest'
      ? Math.ceil(at.ts) < from.ts || (Math.ceil(at.ts) === from.ts && from.id > 0)
      : Math.floor(at.ts) > from.ts))

/** True if nothing is left. */
async function walkOn(db: Db, scan: Scan, state: State, { most }: Wanted, rows: number) {
  const isSparse =
    state.sampled > 0 && scan.reach.few?.length !== 1 && state.readable < FEW_READABLE * state.sampled
  const floor = isSparse
    ? await floorOf(db, scan, state.at, (rows * state.sampled) / Math.max(1, state.readable))
    : undefined
  const { hits, end, ...read } = await walk(db, scan, state.at, {
    rows,
    most: most - state.hits.length,
    floor,
  })
  state.hits.push(...hits)
  state.walked += Math.max(1, read.walked)
  state.sampled += read.sampled
  state.readable += read.readable
  state.passed += Math.max(read.walked, read.passed)
  state.at = end ?? state.at
  return end === undefined
}

/** Reads by the index until all are counted, or as many as a total tells. True if nothing is left. */
async function countOn(
  db: Db,
  scan: Scan,
  state: State,
  wanted: Wanted,
  known: Estimate,
  bounds: Bounds,
): Promise<boolean> {
  while (state.hits.length < wanted.most && state.texts < bounds.stepRows)
    if (await indexOn(db, scan, state, wanted, known, bounds, spanOfCount(state, wanted, known))) return true
  return false
}

/** Messages that have the hits to count, with some to spare; all, if the index reads little more then. */
function spanOfCount({ hits, passed, texts }: State, { most }: Wanted, known: Estimate): number {
  if (known.texts <= FEW_COUNTS * most || (texts > 0 && hits.length === 0)) return Infinity
  const perHit = hits.length > 0 ? passed / hits.length : known.messages / known.texts
  return 1.5 * (most - hits.length) * perHit
}

const spanOfStep = ({ hits, passed }: State, { page }: Wanted) =>
  hits.length > 0 ? (PAGES_OF_STEP * page * passed) / hits.length : Infinity

/** Reads the next span of time by the index, bounded by messages and by expected texts. True if nothing is left. */
async function indexOn(
  db: Db,
  scan: Scan,
  state: State,
  { trigrams, most }: Wanted,
  known: Estimate,
  { stepRows }: Bounds,
  span: number,
) {
  const messages = Math.ceil(Math.min((stepRows / 2 / known.texts) * known.messages, span))
  const until = messages >= known.messages ? undefined : (await floorOf(db, scan, state.at, messages))?.ts
  const read = await readTexts(
    db,
    scan,
    trigrams!,
    { after: state.at, until },
    most - state.hits.length,
    stepRows,
  )
  state.texts += Math.max(1, read.texts)
  if (read.texts >= stepRows) {
    // More than expected: the same again in a shorter span.
    known.texts *= 4
    return false
  }
  state.hits.push(...read.hits)
  state.passed += messages
  // Ids are positive: beyond all messages of this moment that the segment has.
  if (until !== undefined) state.at = { ts: until, id: 0 }
  return until === undefined
}
