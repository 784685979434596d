import { useEffect, useRef, useState } from 'preact/hooks'
import type { InboxItem, InboxKind } from '#shared/domain/payloads.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { inboxPage } from '../../net/lazy-endpoints.ts'
import { withFirstPage } from '../../store/activity.ts'
import { inbox } from '../../store/store.ts'

interface Pages {
  items: InboxItem[]
  /** Undefined until the first page is known; null after the last. */
  next: string | null | undefined
}

/**
 * Items of a kind, or of all. The first page follows the stream; pages of a kind are requested again when it changes,
 * and further pages on demand.
 */
export function useActivity(kind: InboxKind | undefined) {
  const [pages, setPages] = useState<Pages>(() =>
    kind === undefined ? inbox.peek() : { items: [], next: undefined },
  )
  const [hasFailed, setFailed] = useState(false)
  const isRequesting = useRef(false)
  const first = inbox.value

  useEffect(() => {
    let isHere = true
    const take = ({ items, next }: { items: InboxItem[]; next: string | null }) =>
      setPages(known => withFirstPage(known, items, next))
    if (kind === undefined) take(first)
    else {
      void inboxPage(kind, undefined).then(
        page => {
          if (!isHere) return
          take(page)
          setFailed(false)
        },
        error => {
          tolerateFailure(error)
          if (isHere) setFailed(true)
        },
      )
    }
    return () => {
      isHere = false
    }
  }, [kind, first])

  const more = async () => {
    if (isRequesting.current || typeof pages.next !== 'string') return
    isRequesting.current = true
    setFailed(false)
    try {
      const page = await inboxPage(kind, pages.next)
      setPages(known => ({ items: [...known.items, ...page.items], next: page.next }))
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    } finally {
      isRequesting.current = false
    }
  }
  return { ...pages, hasFailed, more }
}
