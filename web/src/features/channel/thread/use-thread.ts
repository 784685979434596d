import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { onRows } from '../../../net/messages/reply-counts.ts'
import { checkedRows } from '../../../net/requests/checked-rows.ts'
import { Failure, tolerateFailure } from '../../../net/requests/failure.ts'
import { followThread, readThread, thread as requestThread } from '../../../net/requests/lazy-endpoints.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { viewer } from '../../../store/store.ts'
import { noteLeft } from '../../../store/threads/left-threads.ts'
import { noteThreadRead } from '../../../store/threads/read-threads.ts'
import {
  hasNewReplyOf,
  newAfter,
  repliesOfOthers,
  type Thread,
  withOlderRows,
  withOwnReply,
  withRows,
} from '../../../store/threads/thread-rows.ts'
import { showToast } from '../../../ui/feedback.ts'
import { closeThread, threadRows } from '../../threads/open-threads.ts'

/**
 * A thread of the open channel. It follows the frames of the channel; it is requested again when the channel is loaded
 * again, because frames in between are lost then.
 */
export function useThread(channel: Channel, id: number) {
  const [thread, setThread] = useState<Thread | undefined>(undefined)
  const [hasFailed, setFailed] = useState(false)
  /** The time after which replies were new when the thread was opened. */
  const unreadAfter = useRef<number | undefined>(undefined)
  const readUpTo = useRef(0)
  const isRequesting = useRef(false)
  const isLoading = useRef(false)
  const shown = useRef(thread)
  shown.current = thread
  /** The last rows of frames, some of which a page may lack that was requested before them. */
  const recent = useRef<MessagePayload[]>([])

  const load = async () => {
    isLoading.current = true
    try {
      const page = await requestThread(id)
      const rows = checkedRows(page.rows)
      const root = page.root?.id ?? rows[0]?.extra?.thread ?? id
      const loaded = withRows({ ...page, id: root, rows }, recent.current)
      // Replies that are new in the channel count: opening it may have read the thread a moment ago.
      const unread = Math.max(loaded.unread, channel.newReplies.peek().get(root) ?? 0)
      unreadAfter.current ??= newAfter({ ...loaded, unread }, viewer)
      readUpTo.current = page.unread === 0 ? (rows.at(-1)?.id ?? 0) : page.last_read_id
      setThread(loaded)
      setFailed(false)
    } catch (error) {
      tolerateFailure(error)
      if (error instanceof Failure && (error.status === 404 || error.status === 403)) {
        closeThread()
        showToast(strings.threads.lost, { icon: 'alert' })
      } else setFailed(true)
    } finally {
      isLoading.current = false
    }
  }
  const older = async () => {
    if (!thread?.more || isRequesting.current) return
    isRequesting.current = true
    try {
      const page = await requestThread(thread.id, thread.rows[0]?.id)
      setThread(before => before && withOlderRows(before, { ...page, rows: checkedRows(page.rows) }))
    } catch (error) {
      tolerateFailure(error)
    } finally {
      isRequesting.current = false
    }
  }
  const follow = async (following: boolean) => {
    const show = (shown: boolean) => setThread(before => before && { ...before, following: shown })
    show(following)
    try {
      await followThread(thread!.id, following)
      if (following) noteLeft(thread!.id, false)
    } catch (error) {
      tolerateFailure(error)
      show(!following)
      showToast(strings.threads.notFollowed, { icon: 'alert' })
    }
  }
  /** Called while the end of the thread is in view. */
  const read = () => {
    const last = repliesOfOthers(thread?.rows ?? [], viewer).at(-1)
    if (!thread || !last || last.id <= readUpTo.current || document.visibilityState !== 'visible') return
    const before = readUpTo.current
    readUpTo.current = last.id
    readThread(thread.id, last.id).catch(error => {
      tolerateFailure(error)
      // The next look at the end tries again.
      if (readUpTo.current === last.id) readUpTo.current = before
    })
  }

  // Until it closes, the line under its root tells what was new when it opened.
  useEffect(() => () => noteThreadRead(shown.current?.id ?? id, readUpTo.current), [])

  const isLive = channel.state.value === 'ready' && !channel.isStale.value
  useEffect(() => {
    if (isLive || thread === undefined) void load()
  }, [isLive])
  useEffect(
    () =>
      onRows((of, rows) => {
        if (of !== channel) return
        recent.current = [...recent.current, ...rows].slice(-MOST_RECENT)
        setThread(before => before && withRows(withOwnReply(before, rows, viewer), rows))
        // Returns to the newest rows, which have the reply; a page under way takes it from the recent ones.
        if (shown.current?.isCut && !isLoading.current && hasNewReplyOf(viewer, shown.current, rows))
          void load()
      }),
    [],
  )
  useEffect(() => {
    threadRows.value = thread?.rows ?? []
    return () => {
      threadRows.value = []
    }
  }, [thread?.rows])
  return { thread, hasFailed, unreadAfter: unreadAfter.current, load, older, follow, read }
}

const MOST_RECENT = 200
