import { messages, newestChange, visibleTo, withoutExtra } from '#shared/collections/messages.ts'
import { WITH_EXTRA } from '#shared/domain/deltas.ts'
import { byTime, changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type EncodedFrame, frame } from './frames.ts'
import { frameDelays, sentBytes } from './metrics.ts'
import type { Stream } from './stream.ts'

/** Rows per frame at most, in order of change (interface 6). */
const MOST_ROWS = 500
/** Bytes of text per frame at most: a tab that is cut off within a frame has to load all of it again. */
const MOST_TEXT = 128 * 1024

/** The greatest change time read for all streams of the channel; undefined before the first read. */
export interface SharedCursor {
  ts: Seconds | undefined
}

/** Rows in order of change; `reaches` is the cursor of a stream after it received them. */
interface Chunk {
  from: Seconds
  rows: MessagePayload[]
  reaches: Seconds
  /** No rows follow. */
  isLast: boolean
  /** For streams that start from the beginning; the others also receive tombstones. */
  isFromStart: boolean
  readers: Map<Username, Seconds>
}

/** The result of `followSharedCursor`. */
interface Followed {
  /** The channel was read to its end. */
  isAtEnd: boolean
  /** Streams whose cursor is older than the shared cursor was before this read. */
  behind: Stream[]
  /** Streams that received a frame. */
  sent: Stream[]
}

/**
 * Sends `messages` of one channel (interface 6, rule 3). Streams that have caught up with the shared cursor share one
 * query, one serialisation and one buffer; those with an older cursor catch up separately (`catchUp`). With `full`,
 * `streams` are all streams of the channel, and new rows are read.
 */
export async function followSharedCursor(
  stores: Stores,
  channel: ChannelId,
  shared: SharedCursor,
  streams: Stream[],
  full: boolean,
): Promise<Followed> {
  const ready = streams.filter(canTake)
  if (ready.length === 0) {
    if (full) shared.ts = undefined
    return { isAtEnd: true, behind: [], sent: [] }
  }
  shared.ts ??= await newestChange(stores, channel)
  const before = shared.ts
  const behind = ready.filter(stream => stream.cursor < before)
  if (!full) return { isAtEnd: true, behind, sent: [] }

  const chunk = await readChunk(stores, ready, channel, before, before <= 0)
  const sent = send(
    chunk,
    ready.filter(stream => stream.cursor >= before),
  )
  // Without readers the channel is not followed; the next reader starts from its newest change.
  if (chunk.readers.size === 0) {
    shared.ts = undefined
    return { isAtEnd: true, behind: [], sent }
  }
  if (sent.length > 0 && before > 0) frameDelays.observe(Math.max(0, stores.clock.now() - chunk.reaches))
  shared.ts = chunk.reaches
  return {
    isAtEnd: chunk.isLast,
    behind: behind.filter(stream => chunk.readers.has(stream.viewer)),
    sent,
  }
}

/** The streams of a channel that are behind its shared cursor. */
interface Behind {
  key: ChannelId
  sharedCursor: SharedCursor
  behind: Set<Stream>
}

/**
 * Performs one read for streams at different cursors behind the shared cursor. Removes from `behind` those that have
 * caught up or may not read the channel. `reads`: the number of reads before this one. Returns the streams that
 * received a frame.
 */
export async function catchUp(
  stores: Stores,
  { key: channel, sharedCursor: shared, behind }: Behind,
  reads: number,
): Promise<Stream[]> {
  const asked = [...behind].filter(stream => stream.isOpen && canTake(stream))
  const sharedBefore = shared.ts
  for (const stream of behind) if (!asked.includes(stream)) behind.delete(stream)
  if (asked.length === 0) return []
  const { cursor, isFromStart } = nextToRead(asked, reads)
  const chunk = await readChunk(stores, asked, channel, cursor, isFromStart)
  // Read to the end, later than the shared cursor: it covers everything up to that.
  if (chunk.isLast) chunk.reaches = Math.max(chunk.reaches, sharedBefore ?? 0)
  const served = asked.filter(stream => isWithin(chunk, stream))
  const sent = send(chunk, served)
  for (const stream of asked) {
    const mayRead = chunk.readers.has(stream.viewer)
    // Newer rows are sent with the shared cursor, or the stream falls behind again.
    const hasCaughtUp = chunk.isLast && served.includes(stream) && stream.cursor >= (shared.ts ?? 0)
    if (!mayRead || hasCaughtUp) behind.delete(stream)
  }
  return sent
}

/** Skips stalled streams (they catch up on drain) and streams with an infinite cursor. */
function canTake(stream: Stream) {
  if (stream.cursor === Infinity) return false
  if (stream.isStalled) stream.miss()
  return !stream.isStalled
}

async function readChunk(
  stores: Stores,
  streams: Stream[],
  channel: ChannelId,
  from: Seconds,
  isFromStart: boolean,
): Promise<Chunk> {
  const viewers = new Set(streams.map(stream => stream.viewer))
  const read = await messages.read(stores, viewers, channel, from, MOST_ROWS, !isFromStart, MOST_TEXT)
  const { rows, readers, isLast } = read
  const last = rows.at(-1)
  return { from, rows, readers, reaches: last ? changeTime(last) : from, isLast, isFromStart }
}

/**
 * Picks the lowest cursor, because the rows from there may serve other streams too. Every second read picks at random,
 * so that a stream that is nearly up to date does not wait for all the others.
 */
function nextToRead(behind: Stream[], reads: number): Stream {
  if (reads % 2 === 1) return behind[Math.floor(Math.random() * behind.length)]!
  return behind.reduce((lowest, stream) => (stream.cursor < lowest.cursor ? stream : lowest))
}

const isWithin = ({ from, reaches, isLast, isFromStart }: Chunk, stream: Stream) =>
  stream.isFromStart === isFromStart && stream.cursor >= from && (isLast || stream.cursor < reaches)

/** Queues for each stream the rows that are new to it and visible to its viewer. Returns the streams that got rows. */
function send(chunk: Chunk, streams: Stream[]): Stream[] {
  const sent: Stream[] = []
  const cuts = new Map<Seconds, Map<string, EncodedFrame | undefined>>()
  let bytes = 0
  const hasExtra = chunk.rows.some(row => row.extra)
  for (const stream of streams) {
    const historyStart = chunk.readers.get(stream.viewer)
    if (historyStart === undefined) continue
    const byHistory = cuts.get(stream.cursor) ?? new Map<string, EncodedFrame | undefined>()
    cuts.set(stream.cursor, byHistory)
    // Frames without `extra` are the same for all.
    const withExtra = hasExtra && stream.deltas.has(WITH_EXTRA)
    const form = `${historyStart} ${withExtra}`
    if (!byHistory.has(form)) byHistory.set(form, cut(chunk, stream.cursor, historyStart, withExtra))
    const rows = byHistory.get(form)
    if (rows) {
      bytes += stream.append(rows)
      sent.push(stream)
    }
    // Past the hidden rows too.
    stream.cursor = Math.max(stream.cursor, chunk.reaches)
    if (chunk.isLast) stream.isFromStart = false
  }
  sentBytes.inc({ event: 'messages' }, bytes)
  return sent
}

function cut(
  { from, rows }: Chunk,
  cursor: Seconds,
  historyStart: Seconds,
  withExtra: boolean,
): EncodedFrame | undefined {
  const unseen = cursor <= from ? rows : rows.filter(row => changeTime(row) > cursor)
  const visible = visibleTo(unseen, historyStart)
  if (visible.length === 0) return undefined
  const shown = withExtra ? visible : withoutExtra(visible)
  return frame('messages', shown.toSorted(byTime), changeTime(visible.at(-1)!))
}
