/**
 * Counts of the replies to loaded messages. Rows come with them (`extra.replies`, interface 11.2); replies that come by
 * frames are counted on here, so that a reply costs no tab a request.
 */
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads/messages.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { withReply } from '../../store/threads/reply-counts.ts'
import { wholeMessage } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

/** Spreads the requests of all tabs after a reply was deleted. */
const SPREAD: Milliseconds = 3_000

const recounting = new Set<number>()
type Listener = (channel: Channel, rows: MessagePayload[]) => void
const listeners = new Set<Listener>()

/** Called with the rows of frames. Returns the unsubscribe function. */
export function onRows(listener: Listener) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Called with the rows of a frame before they are merged. */
export function noteReplies(channel: Channel, rows: MessagePayload[]) {
  for (const listener of listeners) listener(channel, rows)
  const counts = new Map(channel.replyCounts.peek())
  const inFrame = new Set(rows.map(({ id }) => id))
  const isKnown = (root: number) =>
    counts.has(root) || inFrame.has(root) || loadedRow(channel, root) !== undefined
  // The row of a root has the present count; replies in the same frame may be in it.
  for (const { id, extra } of rows) if (counts.has(id) || extra?.replies) counts.set(id, extra?.replies)
  for (const row of rows) {
    const root = row.extra?.thread
    if (root !== undefined) countedAt.set(channel, performance.now())
    if (root === undefined) continue
    if (!isKnown(root)) noteEarly(channel, row)
    else if (row.deleted === 1) void recount(channel, root)
    else if (row.extra?.part === undefined) counts.set(root, withReply(countOf(channel, counts, root), row))
  }
  channel.replyCounts.value = counts
}

/** Replies whose root is not loaded, with the time of their frame: a page on its way may have been read before them. */
const early = new WeakMap<Channel, { row: MessagePayload; at: Milliseconds }[]>()
const MOST_EARLY = 100

function noteEarly(channel: Channel, row: MessagePayload) {
  const known = early.get(channel) ?? []
  early.set(channel, [...known.slice(1 - MOST_EARLY), { row, at: performance.now() }])
}

/** When a frame last changed the counts of a channel. Its frames do not come while another one is open. */
const countedAt = new WeakMap<Channel, Milliseconds>()

/**
 * Called with the rows of a page that was requested at `since`: their counts replace those from before, which may lack
 * deletions.
 */
export function noteCounts(channel: Channel, rows: MessagePayload[], since: Milliseconds) {
  const counts = new Map(channel.replyCounts.peek())
  const isOlder = (countedAt.get(channel) ?? 0) < since
  for (const { id, extra } of rows)
    if (isOlder || (extra?.replies?.last_id ?? 0) >= (counts.get(id)?.last_id ?? 0)) counts.delete(id)
  for (const { row, at } of early.get(channel) ?? []) {
    const root = at < since ? undefined : rows.find(({ id }) => id === row.extra?.thread)
    if (!root) continue
    if (row.deleted === 1) void recount(channel, root.id)
    else if (row.extra?.part === undefined)
      counts.set(root.id, withReply(counts.get(root.id) ?? root.extra?.replies, row))
  }
  channel.replyCounts.value = counts
}

const countOf = (channel: Channel, counts: ReadonlyMap<number, RepliesCount | undefined>, root: number) =>
  counts.has(root) ? counts.get(root) : loadedRow(channel, root)?.extra?.replies

const loadedRow = (channel: Channel, id: number) =>
  [channel.liveWindow, channel.historyWindow]
    .flatMap(side => side.peek()?.rows ?? [])
    .find(row => row.id === id)

async function recount(channel: Channel, root: number) {
  if (recounting.has(root)) return
  recounting.add(root)
  await new Promise(resolve => setTimeout(resolve, Math.random() * SPREAD))
  recounting.delete(root)
  try {
    const { extra } = await wholeMessage(root)
    channel.replyCounts.value = new Map(channel.replyCounts.peek()).set(root, extra?.replies)
  } catch (error) {
    // Only the count is old.
    tolerateFailure(error)
  }
}
