import { byTime, changeTime, messages, newestChange, visibleTo } from '#shared/collections/messages.ts'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { frame, type Packet } from './frames.ts'
import type { Stream } from './stream.ts'

/** Decisions, Event stream: so many rows a frame, in order of change. */
const MOST_ROWS = 500
/** And so much text, so that a frame gets through a slow line: a tab that is cut off in a frame begins it anew. */
const MOST_TEXT = 128 * 1024

/** How far the channel was read for all its streams; undefined: not yet. */
export interface Level {
  cursor: Seconds | undefined
}

/** Some rows in order of change, and how far whoever gets them is then. */
interface Chunk {
  from: Seconds
  rows: MessagePayload[]
  reaches: Seconds
  /** There is nothing after it. */
  isLast: boolean
  /** For streams that come from the beginning; the others are also told what was removed. */
  isFromStart: boolean
  readers: Map<Username, Seconds>
}

/** What one look at a channel has done. */
interface Followed {
  /** The channel was read to its end. */
  isLevel: boolean
  /** Streams that have not come as far as the channel was read before. */
  behind: Stream[]
  /** Streams that got a frame. */
  shown: Stream[]
}

/**
 * `messages` of one channel (interface 6, rule 3). Streams that are level share one question, one serialisation and
 * one buffer. A stream that comes with an older cursor catches up by itself (`catchUp`), without making the others
 * read again. `whole`: all streams of the channel are given, and what is new is read.
 */
export async function followLevel(
  stores: Stores,
  channel: ChannelId,
  level: Level,
  streams: Stream[],
  whole: boolean,
): Promise<Followed> {
  const ready = streams.filter(canTake)
  if (ready.length === 0) {
    if (whole) level.cursor = undefined
    return { isLevel: true, behind: [], shown: [] }
  }
  level.cursor ??= await newestChange(stores, channel)
  const before = level.cursor
  const behind = ready.filter(stream => stream.cursor < before)
  if (!whole) return { isLevel: true, behind, shown: [] }

  const chunk = await readChunk(stores, ready, channel, before, before <= 0)
  const shown = show(
    chunk,
    ready.filter(stream => stream.cursor >= before),
  )
  // While nobody may read it, it goes on without us: whoever comes then begins where it stands.
  if (chunk.readers.size === 0) {
    level.cursor = undefined
    return { isLevel: true, behind: [], shown }
  }
  level.cursor = chunk.reaches
  return {
    isLevel: chunk.isLast,
    behind: behind.filter(stream => chunk.readers.has(stream.viewer)),
    shown,
  }
}

/** What a channel's streams that are behind are, and where they are going. */
interface Behind {
  key: ChannelId
  level: Level
  behind: Set<Stream>
}

/**
 * One read for streams that are behind, each at a place of its own; those that are level after it, or that may not read
 * the channel, leave `behind`. `reads`: how many went before. Returns the streams that got a frame.
 */
export async function catchUp(
  stores: Stores,
  { key: channel, level, behind }: Behind,
  reads: number,
): Promise<Stream[]> {
  const asked = [...behind].filter(stream => stream.isOpen && canTake(stream))
  const levelBefore = level.cursor
  for (const stream of behind) if (!asked.includes(stream)) behind.delete(stream)
  if (asked.length === 0) return []
  const { cursor, isFromStart } = nextToRead(asked, reads)
  const chunk = await readChunk(stores, asked, channel, cursor, isFromStart)
  // Read to its end after the level was: whoever gets it has seen everything up to the level too.
  if (chunk.isLast) chunk.reaches = Math.max(chunk.reaches, levelBefore ?? 0)
  const served = asked.filter(stream => isWithin(chunk, stream))
  const shown = show(chunk, served)
  for (const stream of asked) {
    const mayRead = chunk.readers.has(stream.viewer)
    // What is new since is shown with the level, or to a stream that has fallen behind again.
    const isLevel = chunk.isLast && served.includes(stream) && stream.cursor >= (level.cursor ?? 0)
    if (!mayRead || isLevel) behind.delete(stream)
  }
  return shown
}

/** One that is stalled comes back to it once it has drained; one that wants nothing gets nothing. */
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
 * The lowest cursor first, because others may lie within what is read from there; in between any one, so that nobody
 * waits for all who have a longer way.
 */
function nextToRead(behind: Stream[], reads: number): Stream {
  if (reads % 2 === 1) return behind[Math.floor(Math.random() * behind.length)]!
  return behind.reduce((lowest, stream) => (stream.cursor < lowest.cursor ? stream : lowest))
}

const isWithin = ({ from, reaches, isLast, isFromStart }: Chunk, stream: Stream) =>
  stream.isFromStart === isFromStart && stream.cursor >= from && (isLast || stream.cursor < reaches)

/** Cut to what each has not seen yet and may see; those for whom the cut is the same share it. Returns who got some. */
function show(chunk: Chunk, streams: Stream[]): Stream[] {
  const shown: Stream[] = []
  const cuts = new Map<Seconds, Map<Seconds, Packet | undefined>>()
  for (const stream of streams) {
    const historyStart = chunk.readers.get(stream.viewer)
    if (historyStart === undefined) continue
    const byHistory = cuts.get(stream.cursor) ?? new Map<Seconds, Packet | undefined>()
    cuts.set(stream.cursor, byHistory)
    if (!byHistory.has(historyStart)) byHistory.set(historyStart, cut(chunk, stream.cursor, historyStart))
    const rows = byHistory.get(historyStart)
    if (rows) {
      stream.append(rows)
      shown.push(stream)
    }
    // Also past the rows that this viewer may not see.
    stream.cursor = Math.max(stream.cursor, chunk.reaches)
    if (chunk.isLast) stream.isFromStart = false
  }
  return shown
}

function cut({ from, rows }: Chunk, cursor: Seconds, historyStart: Seconds): Packet | undefined {
  const unseen = cursor <= from ? rows : rows.filter(row => changeTime(row) > cursor)
  const visible = visibleTo(unseen, historyStart)
  if (visible.length === 0) return undefined
  return frame('messages', visible.toSorted(byTime), changeTime(visible.at(-1)!))
}
