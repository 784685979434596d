import * as v from 'valibot'
import { SearchPayload } from '#shared/domain/payloads/search.ts'
import { LONGEST_QUERY, parseSearch } from '#shared/domain/search-query.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { endpoint, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { timeZoneFor } from '../middleware/time-zone.ts'
import { cursorFrom, markOf } from './cursor.ts'
import { inTurn } from './in-turn.ts'
import { type SearchRequest, search } from './search.ts'

const MOST_ITEMS = 200
const USUAL_ITEMS = 50

const NO_LIMIT = f.invalid(`a number from 1 to ${MOST_ITEMS}`)

const QUERY = f.fields({
  tz: f.timeZone,
  q: v.pipe(
    v.string(f.REQUIRED),
    v.check(q => q.length <= LONGEST_QUERY, f.tooLong(LONGEST_QUERY)),
    v.check(q => !q.includes('\0'), 'invalid: $ must not contain the character NUL'),
  ),
  sort: f.word(['newest', 'oldest']),
  limit: v.optional(
    v.pipe(
      v.string(NO_LIMIT),
      v.transform(Number),
      v.check(limit => Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST_ITEMS, NO_LIMIT),
    ),
    String(USUAL_ITEMS),
  ),
  cursor: f.anything,
})

/** Interface 14.1. */
export const searchEndpoints = [
  endpoint(
    'GET /search',
    {
      summary: 'Searches messages, with operators and pages.',
      who: 'signed in',
      limit: ['search'],
      query: QUERY,
      answers: { 200: payload(SearchPayload) },
      fails: [400, 503],
    },
    async ({ stores, viewer, query }) => {
      const timeZone = await timeZoneFor(stores, viewer, query.tz)
      const request = requestIn(query, stores.clock.now(), timeZone)
      return await longReadsAtOnce(stores)(viewer, () =>
        inTurn(stores, viewer, tx => search(stores, viewer, request, tx)),
      )
    },
  ),
]

function requestIn(fields: v.InferOutput<typeof QUERY>, now: number, timeZone: string): SearchRequest {
  const { q, cursor: cursorText, sort = 'newest', limit } = fields
  const cursor = typeof cursorText === 'string' ? cursorFrom(cursorText) : undefined
  const mark = markOf(q, timeZone)
  if (cursorText !== undefined && (cursor?.sort !== sort || cursor.of !== mark))
    throw errors.invalid('cursor is not one of this search')
  const query = parseSearch(q.toWellFormed(), now, timeZone)
  if (query.isEmpty) throw errors.invalid('q has nothing to search for')
  return { query, sort, limit, cursor, mark }
}
