import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { LONGEST_QUERY, parseSearch } from '#shared/domain/search-query.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { endpoint, payload } from '../middleware/endpoint.ts'
import { timeZoneFor } from '../middleware/time-zone.ts'
import { cursorFrom, markOf } from './cursor.ts'
import { inTurn } from './in-turn.ts'
import { type SearchRequest, search } from './search.ts'

const MOST_ITEMS = 200
const USUAL_ITEMS = 50

/** Interface 14.1. */
export const searchEndpoints = [
  endpoint(
    'GET /search',
    {
      who: 'signed in',
      limit: ['search'],
      answers: { 200: payload<SearchPayload>('SearchPayload') },
      fails: [400, 503],
    },
    async ({ stores, req, viewer }) => {
      const timeZone = await timeZoneFor(stores, viewer, req.query['tz'])
      const request = requestIn(req.query, stores.clock.now(), timeZone)
      return await longReadsAtOnce(stores)(viewer, () =>
        inTurn(stores, viewer, tx => search(stores, viewer, request, tx)),
      )
    },
  ),
]

const invalid = (sentence: string) => errors.coded(400, 'invalid', sentence)

function requestIn(fields: Record<string, unknown>, now: number, timeZone: string): SearchRequest {
  const { q, cursor: cursorText, sort = 'newest', limit: limitText = String(USUAL_ITEMS) } = fields
  if (typeof q !== 'string') throw errors.coded(400, 'required', 'q required')
  if (q.length > LONGEST_QUERY) {
    throw errors.coded(400, 'too_long', `q has at most ${LONGEST_QUERY} characters`)
  }
  if (q.includes('\0')) throw invalid('q must not contain the character NUL')
  if (sort !== 'newest' && sort !== 'oldest') throw invalid('sort must be newest or oldest')
  const limit = Number(limitText)
  if (typeof limitText !== 'string' || !Number.isSafeInteger(limit) || limit < 1 || limit > MOST_ITEMS)
    throw invalid(`limit must be a number from 1 to ${MOST_ITEMS}`)
  const cursor = typeof cursorText === 'string' ? cursorFrom(cursorText) : undefined
  const mark = markOf(q, timeZone)
  if (cursorText !== undefined && (cursor?.sort !== sort || cursor.of !== mark))
    throw invalid('cursor is not one of this search')
  const query = parseSearch(q.toWellFormed(), now, timeZone)
  if (query.isEmpty) throw invalid('q has nothing to search for')
  return { query, sort, limit, cursor, mark }
}
