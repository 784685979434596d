import { byTime, changeTime, messages, newestChange, visibleTo } from '#shared/collections/messages.ts'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { frame, type Packet, packet } from './frames.ts'
import type { Stream } from './stream.ts'

/** Decisions, Event stream: so many rows a frame, in order of change. */
const MOST_ROWS = 500
/** And so much text, so that a frame gets through a slow line: a tab that is cut off in a frame begins it anew. */
const MOST_TEXT = 128 * 1024
/** How many streams that are behind, each at a place of its own, are read for in one turn, so that the others need not wait. */
const CATCH_UPS = 8

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

/**
 * `messages` of one channel (interface 6, rule 3). Streams that are level share one question, one serialisation and
 * one buffer. A stream that comes with an older cursor catches up by itself, frame by frame, without making the
 * others read again. Answers whether all are level.
 */
export async function followChannel(
  stores: Stores,
  channel: ChannelId,
  level: Level,
  streams: Stream[],
  whole: boolean,
): Promise<boolean> {
  const ready = streams.filter(canTake)
  if (ready.length === 0) {
    if (whole) level.cursor = undefined
    return true
  }
  level.cursor ??= await newestChange(stores, channel)
  const before = level.cursor
  let behind = ready.filter(stream => stream.cursor < before)
  let allLevel = true

  if (whole) {
    const chunk = await readChunk(stores, ready, channel, before, before <= 0)
    show(
      chunk,
      ready.filter(stream => stream.cursor >= before),
    )
    // While nobody may read it, it goes on without us: whoever comes then begins where it stands.
    if (chunk.readers.size === 0) {
      level.cursor = undefined
      return true
    }
    level.cursor = chunk.reaches
    allLevel = chunk.isLast
    behind = behind.filter(stream => chunk.readers.has(stream.viewer))
  }

  for (let reads = 0; behind.length > 0; reads++) {
    if (reads === CATCH_UPS) return false
    const { cursor, isFromStart } = nextToRead(behind, reads)
    const chunk = await readChunk(stores, behind, channel, cursor, isFromStart)
    // Read to its end after the level was: whoever gets it has seen everything up to the level too.
    if (chunk.isLast) chunk.reaches = Math.max(chunk.reaches, level.cursor)
    else allLevel = false
    const [served, others] = partition(behind, stream => isWithin(chunk, stream))
    show(chunk, served)
    behind = others
  }
  return allLevel
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
  const { rows, readers } = await messages.read(stores, viewers, channel, from, MOST_ROWS, !isFromStart)
  const fitting = rows.slice(0, fittingRows(rows))
  const last = fitting.at(-1)
  return {
    from,
    rows: fitting,
    readers,
    reaches: last ? changeTime(last) : from,
    isLast: rows.length < MOST_ROWS && fitting.length === rows.length,
    isFromStart,
  }
}

/** At least one: a cursor must move. */
function fittingRows(rows: MessagePayload[]) {
  let text = 0
  const tooMany = rows.findIndex(row => {
    text += (row.content?.length ?? 0) + (row.reactions?.length ?? 0)
    return text > MOST_TEXT
  })
  return tooMany < 0 ? rows.length : Math.max(1, tooMany)
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

/** Cut to what each has not seen yet and may see; those for whom the cut is the same share it. */
function show(chunk: Chunk, streams: Stream[]) {
  const cuts = new Map<Seconds, Map<Seconds, Packet | undefined>>()
  for (const stream of streams) {
    const historyStart = chunk.readers.get(stream.viewer)
    if (historyStart === undefined) continue
    const byHistory = cuts.get(stream.cursor) ?? new Map<Seconds, Packet | undefined>()
    cuts.set(stream.cursor, byHistory)
    if (!byHistory.has(historyStart)) byHistory.set(historyStart, cut(chunk, stream.cursor, historyStart))
    const rows = byHistory.get(historyStart)
    if (rows) stream.append(rows)
    // Also past the rows that this viewer may not see.
    stream.cursor = Math.max(stream.cursor, chunk.reaches)
    if (chunk.isLast) stream.isFromStart = false
  }
}

function cut({ from, rows }: Chunk, cursor: Seconds, historyStart: Seconds): Packet | undefined {
  const unseen = cursor <= from ? rows : rows.filter(row => changeTime(row) > cursor)
  const visible = visibleTo(unseen, historyStart)
  if (visible.length === 0) return undefined
  return packet(frame('messages', visible.toSorted(byTime), changeTime(visible.at(-1)!)))
}

function partition<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []]
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}
