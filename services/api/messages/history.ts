import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import { readersOf } from '#shared/access/readers.ts'
import { byTime, messages, visibleTo } from '#shared/collections/messages.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { messagesBefore, messagesFrom } from './queries.ts'

/** How many rows are in memory at once, whatever the length of the answer. */
const PAGE = 500

/** All rows that changed after the cursor, ordered by time, page by page (interface 4.3, GET /messages). */
export async function* changedSince(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  after: Seconds,
): AsyncGenerator<MessagePayload[]> {
  if (after > 0) {
    // The usual case, catching up: a short range of the index by change, whatever the length of the history.
    const { rows } = await messages.read(stores, [viewer], channel.id, after, PAGE)
    if (rows.length < PAGE) return yield visibleTo(rows, channel.historyStart).sort(byTime)
  }
  if (after === Infinity) return

  // `from` is exclusive and the first row of a late joiner's history is theirs.
  let from = channel.historyStart > 0 ? channel.historyStart - 0.000_001 : -1
  for (;;) {
    const rows = await messagesFrom(stores.db, channel.id, { from, changedAfter: after, limit: PAGE })
    // A slow reader may have left the channel meanwhile.
    if (!(await readersOf(stores, [viewer], channel.id)).has(viewer)) return
    if (rows.length > 0) yield visibleTo(rows, channel.historyStart)
    if (rows.length < PAGE) return
    from = rows.at(-1)!.ts
  }
}

/** The newest rows before a time (ours, decisions, Paging). */
export function newestBefore(stores: Stores, channel: ReadableChannel, before: Seconds, limit: number) {
  return messagesBefore(stores.db, channel.id, { before, historyStart: channel.historyStart, limit })
}

/** A message with as many rows before as after it (ours, decisions, Paging). */
export async function around(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  id: string,
  limit: number,
) {
  const message = await findReadableMessage(stores, viewer, id)
  if (!message || message.channel.id !== channel.id) throw refuse.notFound()
  const half = Math.max(1, Math.floor(limit / 2))
  const before = await newestBefore(stores, channel, message.ts, half)
  const from = before.at(-1)?.ts ?? message.ts - SMALLEST_STEP
  return [...before, ...(await firstAfter(stores, channel, from, limit - before.length))]
}

/** The last rows up to a time and the first ones after it, half of each: where somebody stopped reading (ours, decisions, Paging). */
export async function aroundTime(stores: Stores, channel: ReadableChannel, ts: Seconds, limit: number) {
  const half = Math.max(1, Math.floor(limit / 2))
  // The next number there is: rows of one send are a microsecond apart.
  const before = await newestBefore(stores, channel, ts * (1 + Number.EPSILON), half)
  return [...before, ...(await firstAfter(stores, channel, ts, limit - half))]
}

/** The channel's clock counts microseconds. */
const SMALLEST_STEP: Seconds = 0.000_001

/** What comes first after a time, and never what was there before the reader came. */
async function firstAfter(stores: Stores, { id, historyStart }: ReadableChannel, ts: Seconds, limit: number) {
  const from = Math.max(ts, historyStart > 0 ? historyStart - SMALLEST_STEP : -1)
  return messagesFrom(stores.db, id, { from, changedAfter: 0, limit: Math.max(1, limit) })
}
