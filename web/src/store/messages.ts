/**
 * The rows of one channel that a tab holds: a stretch, in order, and the cursor up to which their changes are known.
 * Pure: every function returns a new log, or the same one if nothing changed.
 */
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Seconds } from '#shared/domain/units.ts'

export interface Log {
  /** By `ts`, then `id`; the time of a row is unique within its channel. */
  rows: MessagePayload[]
  /** The greatest change time seen. */
  cursor: Seconds
  /** There is nothing older than the first row. */
  complete: boolean
  /** The last row is the newest of the channel, and frames keep it so. */
  live: boolean
  /**
   * Changes to rows that are not loaded. A page of older rows may have been read just before such a change,
   * and arrive just after it.
   */
  strays: Map<number, MessagePayload>
}

const MOST_STRAYS = 500

export const emptyLog: Log = { rows: [], cursor: 0, complete: false, live: true, strays: new Map() }

/** Time of the last change of a row: the channel's clock gives each change a time of its own. */
export function changedTs(row: MessagePayload): Seconds {
  return Math.max(row.ts, row.edited_ts ?? 0, row.deleted_ts ?? 0, row.reactions_ts ?? 0)
}

export function cursorOf(rows: MessagePayload[], start: Seconds = 0): Seconds {
  return rows.reduce((cursor, row) => Math.max(cursor, changedTs(row)), start)
}

/** The newest rows of a channel; fewer than `limit` means that there are no older ones. */
export function newestPage(rows: MessagePayload[], limit: number): Log {
  return {
    ...emptyLog,
    rows: inOrder(rows),
    cursor: cursorOf(rows),
    complete: rows.length < limit,
    strays: new Map(),
  }
}

/** A stretch around an old message. Its end is not the channel's, so frames only change existing rows. */
export function stretch(rows: MessagePayload[]): Log {
  return { ...emptyLog, rows: inOrder(rows), cursor: cursorOf(rows), live: false, strays: new Map() }
}

export function withOlder(log: Log, rows: MessagePayload[], limit: number): Log {
  const merged = mergeRows(log.rows, rows)
  return settleStrays({ ...log, rows: merged, complete: rows.length < limit })
}

export function withNewer(log: Log, rows: MessagePayload[]): Log {
  return settleStrays({ ...log, rows: mergeRows(log.rows, rows) })
}

/** Merges a stretch with the live rows; undefined unless they meet. */
export function joined(older: Log, live: Log): Log | undefined {
  const meets = older.rows.at(-1)
  const from = live.rows[0]
  if (!meets || !from || meets.ts < from.ts) return undefined
  return { ...live, rows: mergeRows(older.rows, live.rows), complete: older.complete }
}

/** Applies a `messages` frame: new rows at the end of a live log, changes to loaded rows; the rest is kept aside. */
export function withFrame(log: Log, rows: MessagePayload[], frameCursor: Seconds = 0): Log {
  const known = new Set(log.rows.map(row => row.id))
  const mine: MessagePayload[] = []
  let strays = log.strays
  for (const row of rows) {
    if (known.has(row.id) || (isWithin(log, row) && !isBareTombstone(row))) mine.push(row)
    else strays = withStray(strays, row)
  }
  const merged = mine.length > 0 ? mergeRows(log.rows, mine) : log.rows
  const cursor = Math.max(cursorOf(rows, log.cursor), frameCursor)
  if (merged === log.rows && cursor === log.cursor && strays === log.strays) return log
  return { ...log, rows: merged, cursor, strays }
}

/** Drops old rows, so that a tab that stays open for weeks stays small. */
export function trimmed(log: Log, keep: number): Log {
  if (!log.live || log.rows.length <= keep) return log
  return { ...log, rows: log.rows.slice(-keep), complete: false }
}

/**
 * Splits a list that has grown too long while scrolling back into a stretch with the old part and a few live rows;
 * undefined while it is short enough.
 */
export function split(
  log: Log,
  most: number,
  keepOld: number,
  keepLive: number,
): { aside: Log; live: Log } | undefined {
  if (log.rows.length <= most) return undefined
  return {
    aside: { ...log, rows: log.rows.slice(0, keepOld), live: false, strays: new Map() },
    live: trimmed(log, keepLive),
  }
}

/** The rows around one of them, kept when a channel is left; undefined if the row is not loaded. */
export function aroundRow(log: Log, at: (row: MessagePayload) => boolean, keep: number): Log | undefined {
  const place = log.rows.findIndex(at)
  if (place < 0) return undefined
  const from = Math.max(0, place - (keep >> 1))
  const rows = log.rows.slice(from, from + keep)
  return { ...log, rows, complete: log.complete && from === 0, live: false, strays: new Map() }
}

/** Drops rows at the end opposite to the growth. */
export function shortened(log: Log, most: number, grown: 'older' | 'newer'): Log {
  if (log.rows.length <= most) return log
  if (grown === 'older') return { ...log, rows: log.rows.slice(0, most) }
  return { ...log, rows: log.rows.slice(-most), complete: false }
}

/** Merges by id; the version of a row that changed later wins, in either order. */
export function mergeRows(old: MessagePayload[], incoming: MessagePayload[]): MessagePayload[] {
  // Fast path: a page of older rows, from scrolling back.
  const first = old[0]
  if (first && incoming.length > 0 && incoming.every(row => row.ts > 0 && row.ts < first.ts))
    return [...inOrder(incoming), ...old]
  const byId = new Map(old.map(row => [row.id, row]))
  let changed = false
  for (const row of incoming) {
    const kept = byId.get(row.id)
    const next = kept ? newerOf(kept, row) : row
    if (next === kept) continue
    byId.set(row.id, next)
    changed = true
  }
  return changed ? inOrder([...byId.values()]) : old
}

function newerOf(kept: MessagePayload, incoming: MessagePayload): MessagePayload {
  if (changedTs(incoming) < changedTs(kept) || isSame(kept, incoming)) return kept
  // The tombstone of a deleted account has no time of its own; it stays in its place.
  return incoming.ts > 0 ? incoming : { ...incoming, ts: kept.ts }
}

function isSame(a: MessagePayload, b: MessagePayload): boolean {
  return (Object.keys(b) as (keyof MessagePayload)[]).every(key => a[key] === b[key])
}

function inOrder(rows: MessagePayload[]): MessagePayload[] {
  return [...rows].sort((a, b) => a.ts - b.ts || a.id - b.id)
}

function isWithin(log: Log, row: MessagePayload): boolean {
  const first = log.rows[0]
  const last = log.rows.at(-1)
  const oldEnough = log.complete || (first ? row.ts >= first.ts : log.live)
  const newEnough = log.live || (last !== undefined && row.ts <= last.ts)
  return oldEnough && newEnough
}

/** A deleted message whose row was never loaded: nothing to show. */
function isBareTombstone(row: MessagePayload): boolean {
  return row.deleted === 1 && (!row.sender || !(row.ts > 0) || row.sender === 'Deleted User')
}

function withStray(strays: Map<number, MessagePayload>, row: MessagePayload) {
  const kept = strays.get(row.id)
  if (kept && changedTs(kept) >= changedTs(row)) return strays
  const next = new Map(strays).set(row.id, row)
  const oldest = next.keys().next()
  if (next.size > MOST_STRAYS && !oldest.done) next.delete(oldest.value)
  return next
}

function settleStrays(log: Log): Log {
  const home = [...log.strays.values()].filter(row => log.rows.some(kept => kept.id === row.id))
  if (home.length === 0) return log
  const strays = new Map(log.strays)
  for (const row of home) strays.delete(row.id)
  return { ...log, rows: mergeRows(log.rows, home), strays }
}
