import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '#shared/domain/payloads.ts'
import { tolerateFailure } from '../../net/failure.ts'

interface Known<T> {
  items: T[]
  /** Undefined until the first page is known; null after the last. */
  next: string | null | undefined
}

/** A list in pages. It is requested again when `key` changes; the old one stays until then. */
export function usePages<T>(key: string, request: (cursor: string | undefined) => Promise<Page<T>>) {
  const [known, setKnown] = useState<Known<T>>({ items: [], next: undefined })
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isRequesting = useRef(false)

  useEffect(() => {
    let isHere = true
    request(undefined).then(
      page => {
        if (!isHere) return
        setKnown(page)
        setFailed(false)
      },
      error => {
        tolerateFailure(error)
        if (isHere) setFailed(true)
      },
    )
    return () => {
      isHere = false
    }
  }, [key, attempt])

  const more = async () => {
    if (isRequesting.current || typeof known.next !== 'string') return
    isRequesting.current = true
    try {
      const page = await request(known.next)
      setKnown(before => ({ items: [...before.items, ...page.items], next: page.next }))
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    } finally {
      isRequesting.current = false
    }
  }
  return { ...known, hasFailed, more, again: () => setAttempt(attempt + 1) }
}
