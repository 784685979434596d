import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { parseSearch, type SearchProblem } from '#shared/domain/search-query.ts'
import { MOST_ROWS } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Failure, tolerateFailure } from '../../net/requests/failure.ts'
import { type SearchSort, search } from '../../net/requests/lazy-endpoints.ts'
import { announce } from '../../ui/feedback.ts'

const WAIT = 200
const PAGE = 50
/** Requests for a page: nearly always one. Each reads 100,000 messages where no index helps. */
const MOST_REQUESTS = 12

/** The pages loaded so far, at most `MOST_ROWS` and a page. */
export interface Found extends Omit<SearchPayload, 'parsed'> {
  /** The words to mark. */
  words: string[]
  problems: SearchProblem[]
  /** The query and order of these results: their cursor continues no others. */
  query: string
  sort: SearchSort
  /** The results before were dropped for these. */
  isLater: boolean
  /** The page is not full, and the next messages are being looked through. */
  isLooking: boolean
}

export interface Search {
  found: Found | undefined
  failure: Failure | undefined
  problems: SearchProblem[]
  isLoadingMore: boolean
  /** The results are those of the query and order that were asked for last. */
  isOfQuery: boolean
  loadMore: () => void
  toStart: () => void
  tryAgain: () => void
}

/** The next page takes the place of all before. */
export const isFull = ({ items }: Found) => items.length >= MOST_ROWS

/** Searches once typing pauses. Old results stay until new ones arrive; `onFound` is called with them. */
export function useSearch(query: string, sort: SearchSort, onFound: () => void): Search {
  const [found, setFound] = useState<Found | undefined>(undefined)
  const [failure, setFailure] = useState<Failure | undefined>(undefined)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isPaging = useRef(false)
  const latest = useRef<AbortSignal>(undefined)
  const parsed = parseSearch(query, Date.now() / 1000, zone())

  useEffect(() => {
    setFailure(undefined)
    const abort = new AbortController()
    latest.current = abort.signal
    if (parsed.isEmpty) {
      setFound(undefined)
      return () => abort.abort()
    }
    const timer = setTimeout(async () => {
      try {
        const request = { q: query, sort, tz: zone() }
        await readPage(request, undefined, abort.signal, (page, items, isLooking, isFirst) => {
          const { problems } = page.parsed
          setFound({
            ...page,
            items,
            words: parsed.words.yes,
            problems,
            query,
            sort,
            isLater: false,
            isLooking,
          })
          setFailure(undefined)
          if (isFirst) onFound()
          if (!isLooking)
            announce(strings.search.total(Math.max(page.total, items.length), page.total_is === 'more'))
        })
      } catch (error) {
        if (abort.signal.aborted) return
        tolerateFailure(error)
        setFailure(error)
      }
    }, WAIT)
    // Ignores the response to an outdated query.
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query, sort, attempt])

  const isOfQuery = found?.query === query && found.sort === sort

  const loadMore = async () => {
    const signal = latest.current
    if (!found?.next || !isOfQuery || !signal || isPaging.current) return
    isPaging.current = true
    setLoadingMore(true)
    try {
      const isLater = isFull(found)
      const request = { q: query, sort, tz: zone() }
      await readPage(request, found.next, signal, (page, items, isLooking, isFirst) => {
        setFound({
          ...found,
          ...page,
          items: isLater ? items : [...found.items, ...items],
          isLater: isLater || found.isLater,
          isLooking,
        })
        if (isLater && isFirst) onFound()
        setFailure(undefined)
      })
    } catch (error) {
      if (!signal.aborted) {
        tolerateFailure(error)
        setFailure(error)
      }
    } finally {
      isPaging.current = false
      setLoadingMore(false)
    }
  }

  return {
    found,
    failure,
    problems: found && !parsed.isEmpty ? found.problems : parsed.problems,
    isLoadingMore,
    isOfQuery,
    loadMore: () => void loadMore(),
    toStart: () => setAttempt(attempt + 1),
    tryAgain: () => (found?.next && isOfQuery ? void loadMore() : setAttempt(attempt + 1)),
  }
}

/** Reads a page in as many requests as it takes; `show` gets what there is after each. */
async function readPage(
  request: { q: string; sort: SearchSort; tz: string },
  from: string | undefined,
  signal: AbortSignal,
  show: (page: SearchPayload, items: SearchPayload['items'], isLooking: boolean, isFirst: boolean) => void,
) {
  let items: SearchPayload['items'] = []
  let cursor = from
  for (let requests = 1; ; requests++) {
    const page = await search({ ...request, ...(cursor !== undefined && { cursor }) }, signal)
    items = [...items, ...page.items]
    const isCutShort = !page.complete && page.next !== null && items.length < PAGE
    const isLooking = isCutShort && requests < MOST_REQUESTS
    show(page, items, isLooking, requests === 1)
    if (!isLooking) return
    cursor = page.next!
  }
}

export const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
