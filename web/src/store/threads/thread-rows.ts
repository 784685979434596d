/** The rows of an open thread. Pure. */
import { byTime, changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ThreadPayload } from '#shared/domain/payloads/threads.ts'

/** Rows in memory at most; others are loaded again on demand. */
export const MOST_THREAD_ROWS = 600

export type Thread = Omit<ThreadPayload, 'rows'> & {
  id: number
  rows: MessagePayload[]
  /** The newest rows were dropped while older ones were loaded. */
  isCut?: boolean
}

/** A place to write in a thread. */
export interface ThreadPlace {
  root: number
  /** The message that a reply answers: the server takes none that the sender cannot read. */
  replyTo: number
}

/** The root is hidden from late joiners: they answer the newest reply. */
export const placeIn = ({ id, root, rows }: Thread): ThreadPlace => ({
  root: id,
  replyTo: root ? id : (rows.at(-1)?.id ?? id),
})

/** Adds rows of a page or a frame; of two versions of a row the newer one stays. */
export function withRows(thread: Thread, rows: readonly MessagePayload[]): Thread {
  const root = rows.find(row => row.id === thread.id)
  const known = new Map(thread.rows.map(row => [row.id, row]))
  let isChanged = false
  for (const row of rows) {
    const before = known.get(row.id)
    const isOfThread = before !== undefined || row.extra?.thread === thread.id
    if (!isOfThread || (before && changeTime(before) >= changeTime(row))) continue
    // An older row that changed, of a page that is not loaded.
    if (!before && thread.more && thread.rows[0] && row.ts < thread.rows[0].ts) continue
    // A newer row, after those that were dropped.
    if (!before && thread.isCut && row.ts > thread.rows.at(-1)!.ts) continue
    known.set(row.id, row)
    isChanged = true
  }
  const isNewRoot = root !== undefined && (!thread.root || changeTime(root) > changeTime(thread.root))
  if (!isChanged && !isNewRoot) return thread
  const all = isChanged ? [...known.values()].sort(byTime) : thread.rows
  const kept = all.slice(-MOST_THREAD_ROWS)
  return {
    ...thread,
    root: isNewRoot ? root : thread.root,
    rows: kept,
    more: thread.more || kept.length < all.length,
  }
}

/** True for a reply that the viewer has just written. Without the newest rows a change of a later one may look like it. */
export function hasNewReplyOf(viewer: string, thread: Thread, rows: readonly MessagePayload[]): boolean {
  const last = thread.rows.at(-1)?.id ?? 0
  return rows.some(
    row =>
      row.sender === viewer &&
      row.deleted === 0 &&
      row.id > last &&
      row.extra?.thread === thread.id &&
      (!thread.isCut || changeTime(row) === row.ts),
  )
}

/** A reply that the viewer has just written follows the thread; a change of an older one does not. */
export const withOwnReply = (thread: Thread, rows: readonly MessagePayload[], viewer: string): Thread =>
  !thread.following && hasNewReplyOf(viewer, thread, rows) ? { ...thread, following: true } : thread

/** An older page in front of the known rows, of which the newest are dropped if they are too many. */
export function withOlderRows(thread: Thread, page: Pick<ThreadPayload, 'rows' | 'more'>): Thread {
  const known = new Set(thread.rows.map(row => row.id))
  const all = [...page.rows.filter(row => !known.has(row.id)), ...thread.rows]
  const rows = all.slice(0, MOST_THREAD_ROWS)
  return { ...thread, rows, more: page.more, isCut: thread.isCut || rows.length < all.length }
}

/** Names that a response has at most; there may be more people then. */
export const MOST_THREAD_PEOPLE = 100

/** How many people wrote in it: those of the response, and those whose rows came since. */
export function peopleOf({ root, rows, people = [] }: Thread): number {
  const living = rows.filter(row => row.deleted === 0).map(row => row.sender)
  return new Set([...people, ...(root ? [root.sender] : []), ...living]).size
}

/** The living replies of others, by their first rows. */
export const repliesOfOthers = (rows: readonly MessagePayload[], viewer: string) =>
  rows.filter(row => row.sender !== viewer && row.deleted === 0 && row.extra?.part === undefined)

/** The time after which replies are new: the last `unread` ones of others. Undefined without any. */
export function newAfter(
  { rows, unread }: Pick<Thread, 'rows' | 'unread'>,
  viewer: string,
): number | undefined {
  const first = unread > 0 ? repliesOfOthers(rows, viewer).at(-unread) : undefined
  const at = first && rows.indexOf(first)
  return at === undefined ? undefined : (rows[at - 1]?.ts ?? 0)
}
