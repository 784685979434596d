import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '#shared/domain/payloads.ts'
import { tolerateFailure } from '../net/failure.ts'

export interface KnownPages<T> {
  items: T[]
  /** Undefined until the first page is known; null after the last. */
  next: string | null | undefined
}

interface Options<T> {
  /** ms for which `key` must not change before it is requested; the first request is sent at once. */
  settle?: number
  initial?: KnownPages<T>
  /** Combines a fresh first page with the known items; without it they are replaced. */
  merge?: (known: KnownPages<T>, first: Page<T>) => KnownPages<T>
}

/** A list in pages. It is requested again when a value of `key` changes; the old items stay until then. */
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

  useEffect(() => {
    const abort = new AbortController()
    list.current = abort
    const first = async () => {
      try {
        const page = await request(undefined, abort.signal)
        if (abort.signal.aborted) return
        setKnown(before => merge?.(before, page) ?? page)
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
      setKnown(before =>
        before.next === next ? { items: [...before.items, ...page.items], next: page.next } : before,
      )
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
  const again = () => (failed === 'more' ? void more() : setAttempt(attempt + 1))
  return { ...known, hasFailed: failed !== undefined, more, change, again }
}
