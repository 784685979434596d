import { useEffect, useRef, useState } from 'preact/hooks'
import type { PublicChannelPayload } from '#shared/domain/payloads.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { type PublicChannelSort, publicChannelsPage } from '../../net/lazy-endpoints.ts'
import { noteNames } from '../../store/names.ts'

/** After the last key, ms. */
const SETTLED = 120

export interface Asked {
  words: string
  sort: PublicChannelSort
  archived: boolean
}

interface Pages {
  items: PublicChannelPayload[]
  /** Undefined until the first page is known; null after the last. */
  next: string | null | undefined
}

const NOTHING: Pages = { items: [], next: undefined }

/** The public channels that match, page by page. The list stays until the next one is there. */
export function usePublicChannels({ words, sort, archived }: Asked) {
  const [pages, setPages] = useState(NOTHING)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isRequesting = useRef(false)

  useEffect(() => {
    const abort = new AbortController()
    const ask = async () => {
      try {
        const page = await publicChannelsPage({ words, sort, archived }, undefined, abort.signal)
        if (abort.signal.aborted) return
        noteNames(page.items)
        setPages(page)
        setFailed(false)
      } catch (error) {
        if (abort.signal.aborted) return
        tolerateFailure(error)
        setFailed(true)
      }
    }
    const timer = setTimeout(() => void ask(), pages.next === undefined ? 0 : SETTLED)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [words, sort, archived, attempt])

  const more = async () => {
    if (isRequesting.current || typeof pages.next !== 'string') return
    isRequesting.current = true
    try {
      const page = await publicChannelsPage({ words, sort, archived }, pages.next)
      noteNames(page.items)
      setPages(known => ({ items: [...known.items, ...page.items], next: page.next }))
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    } finally {
      isRequesting.current = false
    }
  }
  const change = (channel: string, patch: Partial<PublicChannelPayload>) =>
    setPages(known => ({
      ...known,
      items: known.items.map(one => (one.channel === channel ? { ...one, ...patch } : one)),
    }))
  return { ...pages, hasFailed, more, change, again: () => setAttempt(attempt + 1) }
}
