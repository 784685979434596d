import { useEffect, useRef, useState } from 'preact/hooks'
import type { FollowedThread, ThreadsPayload } from '#shared/domain/payloads/threads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { usePages } from '../../common/use-pages.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { followedThreads } from '../../net/requests/lazy-endpoints.ts'
import { inbox, viewer } from '../../store/store.ts'

/** After a change of the inbox, before the newest threads are requested again. */
const SETTLE: Milliseconds = 1_000

/**
 * The followed threads, or those of them that the viewer started: first those that had something new when the list was
 * loaded, then the others by their last reply. A later reply changes the thread in its place; the order stays until
 * `reload`. `newer`: threads that would come first then.
 */
export function useThreads(own: boolean) {
  const [round, setRound] = useState(0)
  const news = usePages<FollowedThread>([own, round], (cursor, signal) =>
    followedThreads({ unread: true, own }, cursor, signal),
  )
  const all = usePages<FollowedThread>([own, round], (cursor, signal) =>
    followedThreads({ own }, cursor, signal),
  )
  const [newer, setNewer] = useState(0)
  /** The latest reply by which a thread is placed, also of those whose rows were dropped. */
  const newest = useRef(0)
  const first = new Set(news.items.map(one => one.id))
  const others = all.items.filter(one => !first.has(one.id))
  const isLoaded = news.next !== undefined && all.next !== undefined

  const take = (page: ThreadsPayload) => {
    // `last_ts` of a listed thread stays the one by which it is placed.
    const placedAt = new Map([...all.items, ...news.items].map(one => [one.id, one.last_ts]))
    newest.current = Math.max(newest.current, ...placedAt.values())
    const isNewer = ({ id, last_ts, last }: FollowedThread) =>
      last?.sender !== viewer && last_ts > (placedAt.get(id) ?? newest.current)
    const count = page.items.filter(isNewer).length
    if (placedAt.size === 0 && count > 0) return setRound(round + 1)
    setNewer(count)
    for (const { id, root, replies, last, unread, mentioned = [] } of page.items)
      for (const list of [news, all])
        list.change(one => one.id === id, { root, replies, last, unread, mentioned })
  }
  const taken = useRef(take)
  taken.current = take

  // Its newest item changes with each reply.
  const inboxNow = `${inbox.value.threads} ${inbox.value.items[0]?.id}`
  const before = useRef(inboxNow)
  useEffect(() => {
    if (before.current === inboxNow) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      before.current = inboxNow
      followedThreads({ own }, undefined, abort.signal).then(
        page => abort.signal.aborted || taken.current(page),
        error => abort.signal.aborted || tolerateFailure(error),
      )
    }, SETTLE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [inboxNow])

  const reload = () => {
    newest.current = 0
    setNewer(0)
    setRound(round + 1)
  }
  return { items: [...news.items, ...others], news, others, all, newer, isLoaded, reload }
}
