import { signal } from '@preact/signals'
import type { FollowedThread } from '#shared/domain/payloads/threads.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { readThreads } from '../../net/requests/lazy-endpoints.ts'
import { viewer } from '../../store/store.ts'
import { showToast, toast } from '../../ui/feedback.ts'

/** Requests of one press; each marks up to 500 threads as read. */
const MOST_REQUESTS = 10
/** As long as a toast with a button. The server marks forward only, so it is told afterwards, or when the page closes. */
const UNDO_WITHIN: Milliseconds = 10_000

interface AllRead {
  upTo: Seconds
  /** Only the threads that the viewer started. */
  own: boolean
  /** The server is not told yet. */
  canUndo: boolean
}

/** Threads that are shown as read. */
export const allRead = signal<AllRead | undefined>(undefined)

/** The unread replies to show. */
export function unreadOf({ unread, root, last, last_ts }: FollowedThread): number {
  const { upTo = 0, own = false } = allRead.value ?? {}
  return (last?.ts ?? last_ts) <= upTo && (!own || root?.sender === viewer) ? 0 : unread
}

/** Tells the server of the press before, whose Undo gives way to a new one. */
let tellNow = () => {}

/** Shows the threads as read, up to the newest reply that is listed, and tells the server unless it is undone. */
export function readAllThreads(listed: readonly FollowedThread[], own: boolean) {
  const unread = listed.filter(one => unreadOf(one) > 0)
  if (unread.length === 0) return showToast(strings.threads.nothingNew, { icon: 'checks' })
  tellNow()
  const before = allRead.peek()
  const upTo = Math.max(...unread.map(one => one.last?.ts ?? one.last_ts))
  const end = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', onClose)
    tellNow = () => {}
  }
  const tell = () => {
    end()
    void readOnServer(upTo, own)
  }
  const timer = setTimeout(tell, UNDO_WITHIN)
  const onClose = () => {
    end()
    readThreads(upTo, own, true).catch(tolerateFailure)
    // For a page that comes back: nothing can be undone, and the threads that are left follow.
    allRead.value = { upTo, own, canUndo: false }
    if (toast.peek() === offer) toast.value = undefined
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && void readOnServer(upTo, own)
    addEventListener('pageshow', onReturn, { once: true })
  }
  addEventListener('pagehide', onClose)
  tellNow = tell
  allRead.value = { upTo, own, canUndo: true }
  const undo = () => {
    end()
    allRead.value = before && { ...before, canUndo: false }
  }
  showToast(strings.threads.allRead, { icon: 'checks', action: { label: strings.undo, run: undo } })
  const offer = toast.peek()
}

async function readOnServer(upTo: Seconds, own: boolean) {
  const isDone = await readAll(upTo, own)
  // A later press shows more as read meanwhile.
  const isNewest = (allRead.peek()?.upTo ?? 0) <= upTo
  if (isDone) {
    if (isNewest) allRead.value = { upTo, own, canUndo: false }
    return
  }
  if (isNewest) allRead.value = undefined
  showToast(strings.threads.notAllRead, { icon: 'alert' })
}

/** Threads with a reply after that time stay as they are. False if others may be unread still. */
async function readAll(upTo: Seconds, own: boolean): Promise<boolean> {
  try {
    for (let request = 0; request < MOST_REQUESTS; request++) {
      const { more } = await readThreads(upTo, own)
      if (!more) return true
    }
  } catch (error) {
    tolerateFailure(error)
  }
  return false
}
