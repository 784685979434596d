import * as v from 'valibot'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { LONGEST_QUERY, parseSearch, type SearchQuery } from '#shared/domain/search-query.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import * as f from '../middleware/fields.ts'
import { timeZoneFor } from '../middleware/time-zone.ts'
import { inTurn } from '../search/in-turn.ts'
import { search } from '../search/search.ts'
import { fitted } from './fitted.ts'
import { flag, list, MORE, object, text, whole } from './schemas.ts'
import { MESSAGE, shownHit } from './shown-message.ts'
import { type ToolCall, tool } from './tool.ts'

const MOST_HITS = 50

const QUERY = v.pipe(
  f.exactText,
  v.check(query => query.length <= LONGEST_QUERY, f.tooLong(LONGEST_QUERY)),
)

export const searchMessages = tool(
  'search',
  {
    scope: 'read',
    limit: ['search'],
    title: 'Search messages',
    description:
      'Messages that contain all words, newest first. Filters: from:name, in:channel, in:@name, before:2026-03-31, after:…, on:…, has:file|link|pin|reaction, is:dm|mention|thread, "a phrase"; - before a word or filter excludes it.',
    inputSchema: object({ query: text(`At most ${LONGEST_QUERY} characters.`) }),
    outputSchema: object({
      messages: list(MESSAGE),
      total: whole('Of all matches, at most 1,000.'),
      total_is_exact: flag(),
      more: MORE,
      ignored: list(text(), 'Parts of the query that mean nothing here, such as an unknown name.'),
    }),
    args: f.fields({ query: QUERY }),
  },
  async (call, { query: q }) => {
    const { stores, viewer, origin, channels } = call
    const timeZone = await timeZoneFor(stores, viewer, undefined)
    const query = parseSearch(q, stores.clock.now(), timeZone)
    if (query.isEmpty) throw errors.invalid('query has nothing to search for')
    const { items, next, total, total_is, complete, parsed } = await searchFor(
      call,
      query,
      channels ?? undefined,
    )
    // A channel beyond those of the token is as unknown as one that does not exist.
    const ignored = parsed.problems
      .filter(({ why }) => channels === null || why !== 'unknown_channel')
      .map(({ token }) => token)
    return fitted(
      items.map(hit => shownHit(hit, origin)),
      (messages, isCut) => ({
        ...{ messages, total, total_is_exact: total_is === 'exact' },
        more: isCut || next !== null || !complete,
        ignored,
      }),
    )
  },
)

/** The newest matches in these channels; undefined: in all that the account reads. */
export function searchFor(
  { stores, viewer }: ToolCall,
  query: SearchQuery,
  among: readonly ChannelId[] | undefined,
): Promise<SearchPayload> {
  const request = { query, sort: 'newest', limit: MOST_HITS, cursor: undefined, mark: '', among } as const
  return longReadsAtOnce(stores)(viewer, () =>
    inTurn(stores, viewer, tx => search(stores, viewer, request, tx)),
  )
}
