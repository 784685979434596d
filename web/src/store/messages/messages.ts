/**
 * Part of a channel's history that a tab holds: adjacent rows, in order, and the cursor up to which their changes are
 * known. Pure: every function returns a new window, or the same one if nothing changed.
 */
import { byTime, changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'

export interface MessageWindow {
  /** By `ts`, then `id`; the time of a row is unique within its channel. */
  rows: MessagePayload[]
  /** The greatest change time seen. */
  cursor: Seconds
  /** There is nothing older than the first row. */
  complete: boolean
  /** The last row is the newest of the channel, and frames keep it so. */
  isLive: boolean
  /**
   * Changes to rows that are not loaded. A page of older rows may have been read just before such a change,
   * and arrive just after it.
   */
  outOfWindow: Map<number, MessagePayload>
}

declare const reconciled: unique symbol
/** Rows whose pending messages have been replaced (channel-pending.ts), so that none is listed twice. */
export type ReconciledRows = MessagePayload[] & { [reconciled]: true }

const MAX_OUT_OF_WINDOW = 500

export const emptyWindow: MessageWindow = {
  rows: [],
  cursor: 0,
  complete: false,
  isLive: true,
  outOfWindow: new Map(),
}

export function cursorOf(rows: MessagePayload[], start: Seconds = 0): Seconds {
  return rows.reduce((cursor, row) => Math.max(cursor, changeTime(row)), start)
}

/** The newest rows of a channel; fewer than `limit` means that there are no older ones. */
export function newestPage(rows: MessagePayload[], limit: number): MessageWindow {
  return {
    ...emptyWindow,
    rows: inOrder(rows),
    cursor: cursorOf(rows),
    complete: rows.length < limit,
    outOfWindow: new Map(),
  }
}

/**
 * The window with a page of the newest rows, which was requested when the cursor was `since`: what frames have told
 * meanwhile may be newer than the page. Known rows that do not overlap with it go.
 */
export function reloaded(
  known: MessageWindow | undefined,
  rows: ReconciledRows,
  limit: number,
  since: Seconds = 0,
): MessageWindow {
  const fresh = newestPage(rows, limit)
  const { complete } = fresh
  const last = known?.rows.at(-1)
  const first = fresh.rows[0]
  if (!known || (!complete && (!last || !first || first.ts > last.ts))) return fresh
  // A page of the whole channel lacks only what was removed, or came since.
  const kept = complete ? known.rows.filter(row => changeTime(row) > since) : known.rows
  // The cursor stays: changes since then to rows before the fresh ones are still to come.
  return mergeOutOfWindow({
    ...known,
    complete: complete || known.complete,
    rows: mergeRows(kept, fresh.rows),
  })
}

/** A window around an old message. Its end is not the channel's, so frames only change existing rows. */
export function detachedWindow(rows: MessagePayload[]): MessageWindow {
  return {
    ...emptyWindow,
    rows: inOrder(rows),
    cursor: cursorOf(rows),
    isLive: false,
    outOfWindow: new Map(),
  }
}

export function withOlder(window: MessageWindow, rows: MessagePayload[], limit: number): MessageWindow {
  const merged = mergeRows(window.rows, rows)
  return mergeOutOfWindow({ ...window, rows: merged, complete: rows.length < limit })
}

export function withNewer(window: MessageWindow, rows: MessagePayload[]): MessageWindow {
  return mergeOutOfWindow({ ...window, rows: mergeRows(window.rows, rows) })
}

/** Merges an older window with the live window; undefined unless they meet. */
export function joined(older: MessageWindow, live: MessageWindow): MessageWindow | undefined {
  const meets = older.rows.at(-1)
  const from = live.rows[0]
  if (!meets || !from || meets.ts < from.ts) return undefined
  return { ...live, rows: mergeRows(older.rows, live.rows), complete: older.complete }
}

/** Applies a `messages` frame: new rows at the end of a live window, changes to loaded rows; the rest goes to `outOfWindow`. */
export function withFrame(
  window: MessageWindow,
  rows: ReconciledRows,
  frameCursor: Seconds = 0,
): MessageWindow {
  const known = new Set(window.rows.map(row => row.id))
  const mine: MessagePayload[] = []
  let outOfWindow = window.outOfWindow
  for (const row of rows) {
    if (known.has(row.id) || (isWithin(window, row) && !isBareTombstone(row))) mine.push(row)
    else outOfWindow = withUpdate(outOfWindow, row)
  }
  const merged = mine.length > 0 ? mergeRows(window.rows, mine) : window.rows
  const cursor = Math.max(cursorOf(rows, window.cursor), frameCursor)
  if (merged === window.rows && cursor === window.cursor && outOfWindow === window.outOfWindow) return window
  return { ...window, rows: merged, cursor, outOfWindow }
}

/** Drops old rows, so that a tab that stays open for weeks stays small. */
export function trimmed(window: MessageWindow, keep: number): MessageWindow {
  if (!window.isLive || window.rows.length <= keep) return window
  return { ...window, rows: window.rows.slice(-keep), complete: false }
}

/**
 * Splits a live window that has grown too long while scrolling back into a history window with the old part and a
 * short live window; undefined while it is short enough.
 */
export function split(
  window: MessageWindow,
  most: number,
  keepOld: number,
  keepLive: number,
): { history: MessageWindow; live: MessageWindow } | undefined {
  if (window.rows.length <= most) return undefined
  return {
    history: { ...window, rows: window.rows.slice(0, keepOld), isLive: false, outOfWindow: new Map() },
    live: trimmed(window, keepLive),
  }
}

/** The rows around one of them, kept when a channel is left; undefined if the row is not loaded. */
export function aroundRow(
  window: MessageWindow,
  at: (row: MessagePayload) => boolean,
  keep: number,
): MessageWindow | undefined {
  const index = window.rows.findIndex(at)
  if (index < 0) return undefined
  const from = Math.max(0, index - (keep >> 1))
  const rows = window.rows.slice(from, from + keep)
  return { ...window, rows, complete: window.complete && from === 0, isLive: false, outOfWindow: new Map() }
}

/** Drops rows at the end opposite to the growth. */
export function shortened(window: MessageWindow, most: number, grown: 'older' | 'newer'): MessageWindow {
  if (window.rows.length <= most) return window
  if (grown === 'older') return { ...window, rows: window.rows.slice(0, most) }
  return { ...window, rows: window.rows.slice(-most), complete: false }
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
  if (changeTime(incoming) < changeTime(kept) || isSame(kept, incoming)) return kept
  // The tombstone of a deleted account has no time of its own; it stays in its place.
  return incoming.ts > 0 ? incoming : { ...incoming, ts: kept.ts }
}

function isSame(a: MessagePayload, b: MessagePayload): boolean {
  return (Object.keys(b) as (keyof MessagePayload)[]).every(key => a[key] === b[key])
}

function inOrder(rows: MessagePayload[]): MessagePayload[] {
  return [...rows].sort(byTime)
}

function isWithin(window: MessageWindow, row: MessagePayload): boolean {
  const first = window.rows[0]
  const last = window.rows.at(-1)
  const oldEnough = window.complete || (first ? row.ts >= first.ts : window.isLive)
  const newEnough = window.isLive || (last !== undefined && row.ts <= last.ts)
  return oldEnough && newEnough
}

/** A deleted message whose row was never loaded: nothing to show. */
function isBareTombstone(row: MessagePayload): boolean {
  return row.deleted === 1 && (!row.sender || !(row.ts > 0) || row.sender === DELETED_SENDER)
}

function withUpdate(outOfWindow: Map<number, MessagePayload>, row: MessagePayload) {
  const kept = outOfWindow.get(row.id)
  if (kept && changeTime(kept) >= changeTime(row)) return outOfWindow
  const next = new Map(outOfWindow).set(row.id, row)
  const oldest = next.keys().next()
  if (next.size > MAX_OUT_OF_WINDOW && !oldest.done) next.delete(oldest.value)
  return next
}

function mergeOutOfWindow(window: MessageWindow): MessageWindow {
  const home = [...window.outOfWindow.values()].filter(row => window.rows.some(kept => kept.id === row.id))
  if (home.length === 0) return window
  const outOfWindow = new Map(window.outOfWindow)
  for (const row of home) outOfWindow.delete(row.id)
  return { ...window, rows: mergeRows(window.rows, home), outOfWindow }
}
