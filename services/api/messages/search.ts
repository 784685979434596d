import { SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { currentNames } from '#shared/access/person.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import type { SearchQuery } from '#shared/domain/search-query.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { BOUNDS, scanHits } from '../search/bounded-scan.ts'
import type { Scan } from '../search/conditions.ts'
import { inTurn } from '../search/in-turn.ts'
import { reachOf } from '../search/readable.ts'
import { trigramsFor } from '../search/search.ts'
import { wordsOf } from '../search/words.ts'

/** Interface 8. */
const MOST_RESULTS = 50

export interface SearchFilters {
  q?: string | undefined
  from?: string | undefined
  /** A canonical id that the viewer may read. */
  channel?: ChannelId | undefined
  start?: Seconds | undefined
  end?: Seconds | undefined
  has?: 'image' | 'link' | 'file' | undefined
  beforeId?: number | undefined
}

/** Messages scanned at most when the trigram index cannot be used: the newest that match the other filters. */
const LOOKED_THROUGH = 200_000
/** Texts read by the trigram index: there is no cursor for the rest of a search, which fails beyond. */
const MOST_TEXTS = 400_000

/** The newest fifty undeleted messages that the viewer may read and that match all filters; none without a filter. */
export async function search(
  stores: Stores,
  viewer: Username,
  filters: SearchFilters,
  lookedThrough = LOOKED_THROUGH,
): Promise<SearchResultPayload[]> {
  if (!isFiltered(filters)) return []
  // A cursor that the viewer cannot read returns an empty page, so that it does not reveal its time.
  const before =
    filters.beforeId === undefined
      ? undefined
      : await findReadableMessage(stores, viewer, String(filters.beforeId))
  if (filters.beforeId !== undefined && before === undefined) return []
  return inTurn(stores, viewer, tx => searchIn(tx, stores, viewer, filters, before, lookedThrough))
}

async function searchIn(
  db: Db,
  stores: Stores,
  viewer: Username,
  filters: SearchFilters,
  before: { ts: Seconds; id: number } | undefined,
  lookedThrough: number,
): Promise<SearchResultPayload[]> {
  const senders = filters.from === undefined ? undefined : await sendersShownAs(db, filters.from)
  const query = queryOf(filters)
  const scan: Scan = {
    query,
    ...(await wordsOf(db, query)),
    names: {
      senders: { yes: senders ?? [], no: [], isFiltered: senders !== undefined },
      channels: { yes: [], no: [], isFiltered: false },
      problems: [],
    },
    sort: 'newest',
    inFileNames: false,
    reach: await reachOf({ ...stores, db }, viewer, {
      yes: filters.channel === undefined ? undefined : [filters.channel],
      no: [],
      is: query.is,
    }),
  }
  if (scan.reach.few?.length === 0 || senders?.length === 0) return []
  const trigrams = trigramsFor(scan)
  const bounds = {
    ...BOUNDS,
    firstRows: Math.min(BOUNDS.firstRows, lookedThrough),
    mostRows: trigrams === undefined ? lookedThrough : MOST_TEXTS,
  }
  const { hits, end } = await scanHits(
    db,
    scan,
    before,
    { page: MOST_RESULTS, most: MOST_RESULTS, trigrams },
    bounds,
  )
  if (end !== undefined && trigrams !== undefined) {
    throw errors.coded(503, 'unavailable', 'This search takes too long. Narrow the time or the channel.')
  }
  const { rows } = await db.query<SearchResultPayload>(
    `select id, channel, ${SHOWN_SENDER} as sender, content, ts
       from messages message
      where id = any($1)
      order by ts desc, id desc`,
    [hits.map(hit => hit.id)],
  )
  return rows
}

const queryOf = ({ q, has, start, end }: SearchFilters): SearchQuery => ({
  words: { yes: q === undefined ? [] : [q], no: [] },
  from: { yes: [], no: [] },
  in: { yes: [], no: [] },
  has: { yes: has === undefined ? [] : [has], no: [] },
  is: { yes: [], no: [] },
  name: { yes: [], no: [] },
  start,
  end,
  notWithin: [],
  problems: [],
  isEmpty: false,
})

/**
 * The senders, in lower case, that readers see under a name: an account under deletion matches `Deleted User`, and no
 * longer its own name.
 */
async function sendersShownAs(db: Db, from: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select lower(username) as name from account_deletions')
  const leaving = rows.map(row => row.name)
  const [current] = (await currentNames(db, [from])) as [string]
  const name = current.toLowerCase()
  if (name === DELETED_SENDER.toLowerCase()) return [name, ...leaving]
  return leaving.includes(name) ? [] : [name]
}

/** A cursor alone is not a filter. */
function isFiltered({ beforeId: _, ...filters }: SearchFilters) {
  return Object.values(filters).some(value => value !== undefined)
}
