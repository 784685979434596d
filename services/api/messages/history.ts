import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import { readersOf } from '#shared/access/readers.ts'
import { visibleTo } from '#shared/collections/messages.ts'
import { byTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { PAGE_BYTES } from '#shared/stores/first-that-fit.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { placesBefore, placesChanged, placesFrom, type RowPlace, rowsAt } from './queries.ts'

/** Rows looked up per query, without their texts. */
const PLACES = 500
/** `withExtra`: rows with details for extensions (interface 11.6). */
export interface Shown {
  withExtra?: boolean
}

/** All rows that changed after the cursor, ordered by time, in pages (interface 4.3, GET /messages). */
export async function* changedSince(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  after: Seconds,
  shown: Shown = {},
): AsyncGenerator<MessagePayload[]> {
  if (after === Infinity) return
  if (after > 0) {
    // The usual case, catching up: a short range of the change index, whatever the length of the history.
    const places = await placesChanged(stores.db, channel.id, { after, limit: PLACES })
    if (places.length < PLACES) {
      places.sort(byTime)
      yield* pagesOf(stores, viewer, channel, places, shown, true)
      return
    }
  }

  // `from` is exclusive, and a late joiner's history includes the row at `historyStart`.
  let from = channel.historyStart > 0 ? channel.historyStart - SMALLEST_STEP : -1
  for (;;) {
    const places = await placesFrom(stores.db, channel.id, { from, changedAfter: after, limit: PLACES })
    yield* pagesOf(stores, viewer, channel, places, shown, after > 0)
    if (places.length < PLACES) return
    from = places.at(-1)!.ts
  }
}

/** The newest rows before a time (ours, interface 4.3). */
export async function* newestBefore(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  before: Seconds,
  limit: number,
  shown: Shown = {},
): AsyncGenerator<MessagePayload[]> {
  yield* pagesOf(stores, viewer, channel, await newestPlaces(stores, channel, before, limit), shown)
}

/** A message with equally many rows before and after it (ours, interface 4.3). */
export async function around(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  id: string,
  limit: number,
  shown: Shown = {},
): Promise<AsyncGenerator<MessagePayload[]>> {
  const message = await findReadableMessage(stores, viewer, id)
  if (!message || message.channel.id !== channel.id) throw errors.notFound()
  const half = Math.max(1, Math.floor(limit / 2))
  const before = await newestPlaces(stores, channel, message.ts, half)
  const from = before.at(-1)?.ts ?? message.ts - SMALLEST_STEP
  const after = await firstAfter(stores, channel, from, limit - before.length)
  return pagesOf(stores, viewer, channel, [...before, ...after], shown)
}

/**
 * The rows up to a time and after it, half of each: opens a channel at the first unread message (ours, interface 4.3).
 */
export async function* aroundTime(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  ts: Seconds,
  limit: number,
  shown: Shown = {},
): AsyncGenerator<MessagePayload[]> {
  const half = Math.max(1, Math.floor(limit / 2))
  // The next representable number: rows of one send are a microsecond apart.
  const before = await newestPlaces(stores, channel, ts * (1 + Number.EPSILON), half)
  const after = await firstAfter(stores, channel, ts, limit - half)
  yield* pagesOf(stores, viewer, channel, [...before, ...after], shown)
}

/** The message object of one message. */
export async function wholeMessage(
  stores: Stores,
  viewer: Username,
  id: unknown,
  { withExtra = false }: Shown = {},
): Promise<MessagePayload> {
  const message = await readableMessage(stores, viewer, id)
  const [row] = await rowsAt(stores.db, message.channel.id, [message.id], { tellsRemoved: false, withExtra })
  if (!row) throw errors.notFound()
  return row
}

/** Resolution of the channel's clock: one microsecond. */
const SMALLEST_STEP: Seconds = 0.000_001

function newestPlaces({ db }: Stores, { id, historyStart }: ReadableChannel, before: Seconds, limit: number) {
  return placesBefore(db, id, { before, historyStart, limit })
}

/** The first rows after a time, but none from before the reader joined. */
function firstAfter({ db }: Stores, { id, historyStart }: ReadableChannel, ts: Seconds, limit: number) {
  const from = Math.max(ts, historyStart > 0 ? historyStart - SMALLEST_STEP : -1)
  return placesFrom(db, id, { from, changedAfter: 0, limit: Math.max(1, limit) })
}

/** Reads the rows at these places in pages of at most PAGE_BYTES. */
async function* pagesOf(
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
  places: RowPlace[],
  { withExtra = false }: Shown,
  tellsRemoved = false,
): AsyncGenerator<MessagePayload[]> {
  for (let begin = 0; begin < places.length; ) {
    const end = endOfPage(places, begin)
    const ids = places.slice(begin, end).map(place => place.id)
    const rows = await rowsAt(stores.db, channel.id, ids, { tellsRemoved, withExtra })
    // Check after reading the rows: a slow reader may have left the channel meanwhile.
    if (!(await readersOf(stores, [viewer], channel.id)).has(viewer)) return
    yield visibleTo(rows, channel.historyStart)
    begin = end
  }
}

/** At least one row, whatever its size. */
function endOfPage(places: RowPlace[], begin: number): number {
  let end = begin
  for (let bytes = 0; end < places.length; end++) {
    bytes += places[end]!.bytes
    if (end > begin && bytes > PAGE_BYTES) break
  }
  return end
}
