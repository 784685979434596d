import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchPayload } from '#shared/domain/payloads.ts'
import { parseSearch, type SearchProblem } from '#shared/domain/search-query.ts'
import { MOST_ROWS } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Failure, tolerateFailure } from '../../net/failure.ts'
import { type SearchSort, search } from '../../net/lazy-endpoints.ts'
import { announce } from '../../ui/feedback.ts'

const WAIT = 200
const PAGE = 50
/** Requests for the first page: the server ends each early, which on a large one is before a rare word is found. */
const MOST_REQUESTS = 12

const isCutShort = ({ complete, next }: SearchPayload, items: unknown[]) =>
  !complete && next !== null && items.length < PAGE

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
}

export interface Search {
  found: Found | undefined
  failure: Failure | undefined
  problems: SearchProblem[]
  isLoadingMore: boolean
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
        let page = await search(request, abort.signal)
        const items = [...page.items]
        const problems = page.parsed.problems
        for (let requests = 1; isCutShort(page, items) && requests < MOST_REQUESTS; requests++) {
          page = await search({ ...request, cursor: page.next! }, abort.signal)
          items.push(...page.items)
        }
        setFound({ ...page, items, words: parsed.words.yes, problems, query, sort, isLater: false })
        setFailure(undefined)
        onFound()
        announce(strings.search.total(page.total, page.total_is === 'more'))
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
      const page = await search({ q: query, sort, tz: zone(), cursor: found.next }, signal)
      const isLater = isFull(found)
      setFound({
        ...found,
        ...page,
        items: isLater ? page.items : [...found.items, ...page.items],
        isLater: isLater || found.isLater,
      })
      if (isLater) onFound()
      setFailure(undefined)
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
    loadMore: () => void loadMore(),
    toStart: () => setAttempt(attempt + 1),
    tryAgain: () => (found?.next && isOfQuery ? void loadMore() : setAttempt(attempt + 1)),
  }
}

export const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
