import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '#shared/domain/payloads/page.ts'
import { tolerateFailure } from '../net/requests/failure.ts'

/** Rows of a list that are kept and shown; bounds the memory of the tab. The last page may exceed it. */
export const MOST_ROWS = 1_000

export interface KnownPages<T> {
  items: T[]
  /** Undefined until the first page is known; null after the last. */
  next: string | null | undefined
  /** How often the rows before were dropped for those after them; 0: from the start of the list. */
  stretch?: number
}

interface Options<T> {
  /** ms for which `key` must not change before it is requested; the first request is sent at once. */
  settle?: number
  initial?: KnownPages<T>
  /** Combines a fresh first page with the known items; without it they are replaced. */
  merge?: (known: KnownPages<T>, first: Page<T>) => KnownPages<T>
}

/**
 * A list in pages. It is requested again when a value of `key` changes; the old items stay until then. `more` adds the
 * next page until `isFull`; `goOn` shows it in place of all rows, and `toStart` leads back.
 */
export function usePages<T>(
  key: readonly unknown[],
  request: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
  { settle = 0, initial = { items: [], next: undefined }, merge }: Options<T> = {},
) {
  const [known, setKnown] = useState<KnownPages<T>>(initial)
  const [failed, setFailed] = useState<'first' | 'more'>()
  const [attempt, setAttempt] = useState(0)
  const isRequesting = useRef(false)
  const list = useRef(new AbortController())
  const isFull = known.items.length >= MOST_ROWS && typeof known.next === 'string'

  useEffect(() => {
    const abort = new AbortController()
    list.current = abort
    const first = async () => {
      try {
        const page = await request(undefined, abort.signal)
        if (abort.signal.aborted) return
        setKnown(before => (merge ? merged(before, page, merge) : page))
        setFailed(undefined)
      } catch (error) {
        if (abort.signal.aborted) return
        tolerateFailure(error)
        setFailed('first')
      }
    }
    const timer = setTimeout(() => void first(), known.next === undefined ? 0 : settle)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [...key, attempt])

  const more = async () => {
    const { next } = known
    const { signal } = list.current
    if (isRequesting.current || typeof next !== 'string') return
    isRequesting.current = true
    setFailed(undefined)
    try {
      const page = await request(next)
      // A merged list keeps its end; a replaced one is another list.
      if (merge === undefined && signal.aborted) return
      setKnown(before => (before.next === next ? longer(before, page) : before))
    } catch (error) {
      tolerateFailure(error)
      setFailed('more')
    } finally {
      isRequesting.current = false
    }
  }
  const change = (isIt: (item: T) => boolean, patch: Partial<T>) =>
    setKnown(before => ({
      ...before,
      items: before.items.map(item => (isIt(item) ? { ...item, ...patch } : item)),
    }))
  const toStart = () => {
    setKnown({ items: [], next: undefined })
    setAttempt(attempt + 1)
  }
  const again = () => (failed === 'more' ? void more() : setAttempt(attempt + 1))
  return {
    ...known,
    hasFailed: failed !== undefined,
    more: async () => (isFull ? undefined : more()),
    isFull,
    goOn: more,
    stretch: known.stretch ?? 0,
    toStart,
    change,
    again,
  }
}

/** A full list begins anew with the page. */
function longer<T>({ items, stretch = 0 }: KnownPages<T>, page: Page<T>): KnownPages<T> {
  return items.length < MOST_ROWS
    ? { items: [...items, ...page.items], next: page.next, stretch }
    : { items: page.items, next: page.next, stretch: stretch + 1 }
}

/** Later stretches are not touched by a change at the start. */
function merged<T>(
  before: KnownPages<T>,
  page: Page<T>,
  merge: (known: KnownPages<T>, first: Page<T>) => KnownPages<T>,
): KnownPages<T> {
  if (before.stretch) return before
  const all = merge(before, page)
  return all.items.length > 2 * MOST_ROWS ? page : all
}
