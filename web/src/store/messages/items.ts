/** Converts rows to list items: date lines, the New line, groups, galleries, folded tombstones. Pure. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import type { Pending } from './pending.ts'

export interface ShownRow {
  key: string
  row: MessagePayload
  pending?: Pending
}

export type Item =
  | { kind: 'day'; key: string; ts: Seconds }
  | { kind: 'new'; key: string }
  | {
      kind: 'message'
      key: string
      shown: ShownRow
      images: ShownRow[]
      first: boolean
      /** A reply to the same message as the item above: its quote is not repeated. */
      sameParent: boolean
      lastTs: Seconds
    }
  | { kind: 'deleted'; key: string; rows: ShownRow[]; lastTs: Seconds }
  /** More than one row only where welcome messages follow each other. */
  | { kind: 'system'; key: string; shown: ShownRow; rows: ShownRow[]; lastTs: Seconds }

export type RowItem = Exclude<Item, { kind: 'day' } | { kind: 'new' }>

const GROUP_WITHIN: Seconds = 5 * 60
const GALLERY_WITHIN: Seconds = 2
const FOLD_FROM = 3

export function isRowItem(item: Item): item is RowItem {
  return item.kind !== 'day' && item.kind !== 'new'
}

/** The content type of a row that the server sent malformed (net/requests/checked-rows.ts). */
export const UNREADABLE = 'unreadable'

export const isUnreadable = (row: MessagePayload) => (row.content_type as string) === UNREADABLE

export function isSystemMessage(row: MessagePayload): boolean {
  return row.content_type === 'system' || row.sender === SYSTEM_SENDER
}

/**
 * `unreadAfter`: the viewer's read marker when the channel was opened; the first row of somebody else after it gets the
 * New line. If all rows came after it, the first one is known to be the first unread only with nothing older:
 * `complete`.
 */
export function itemsOf(rows: ShownRow[], viewer: string, unreadAfter?: Seconds, complete = true): Item[] {
  const items: Item[] = []
  let day: Day | undefined
  let newLine =
    unreadAfter === undefined || (!complete && rows[0] !== undefined && rows[0].row.ts > unreadAfter)
  for (const shown of rows) {
    const { row } = shown
    if (!day || row.ts < day.begin || row.ts >= day.end) {
      const before = day?.name
      day = wholeDay(row.ts)
      if (day.name !== before) items.push({ kind: 'day', key: `day ${day.name}`, ts: row.ts })
    }
    if (!newLine && row.ts > unreadAfter! && row.sender !== viewer && row.deleted === 0 && !shown.pending) {
      items.push({ kind: 'new', key: 'new' })
      newLine = true
    }
    add(items, shown, viewer)
  }
  return items
}

/** The rows of an item, first to last. */
export function rowsOf(item: RowItem): ShownRow[] {
  if (item.kind === 'message')
    return item.images[0] === item.shown ? item.images : [item.shown, ...item.images]
  return item.rows
}

/** The local day, as a key and for comparison. */
export function dayOf(ts: Seconds): string {
  const date = new Date(ts * 1000)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}

interface Day {
  name: string
  begin: Seconds
  end: Seconds
}

/** From midnight to midnight, so that the calendar is consulted once a day, not once a row. */
function wholeDay(ts: Seconds): Day {
  const date = new Date(ts * 1000)
  const [year, month, at] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const begin = new Date(year, month, at).getTime() / 1000
  return { name: dayOf(ts), begin, end: new Date(year, month, at + 1).getTime() / 1000 }
}

export function sameItem(a: Item, b: Item): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || a.key !== b.key) return false
  if (a.kind === 'message' && b.kind === 'message' && (a.first !== b.first || a.sameParent !== b.sameParent))
    return false
  if (!isRowItem(a) || !isRowItem(b)) return a.kind === 'day' && b.kind === 'day' ? a.ts === b.ts : true
  const [before, after] = [rowsOf(a), rowsOf(b)]
  return (
    before.length === after.length &&
    before.every(
      (one, at) =>
        one.row === after[at]!.row && one.pending === after[at]!.pending && one.key === after[at]!.key,
    )
  )
}

function add(items: Item[], shown: ShownRow, viewer: string) {
  const { row } = shown
  const last = items.at(-1)
  if (isSystemMessage(row)) {
    addSystem(items, shown, viewer)
  } else if (row.deleted === 1) {
    addDeleted(items, shown)
  } else if (last?.kind === 'message' && belongsToGallery(last, row)) {
    items[items.length - 1] = { ...last, images: [...last.images, shown], lastTs: row.ts }
  } else {
    const sameParent =
      last?.kind === 'message' && row.reply_to_id !== null && last.shown.row.reply_to_id === row.reply_to_id
    const first = !(last?.kind === 'message' && continues(last, row, sameParent))
    items.push({
      kind: 'message',
      key: shown.key,
      shown,
      images: isImageOnly(row) ? [shown] : [],
      first,
      sameParent,
      lastTs: row.ts,
    })
  }
}

/** Runs of welcomes of others become one item. */
function addSystem(items: Item[], shown: ShownRow, viewer: string) {
  items.push({ kind: 'system', key: shown.key, shown, rows: [shown], lastTs: shown.row.ts })
  const run: ShownRow[] = []
  let count = 0
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!
    if (item.kind !== 'system') break
    const who = welcomedIn(item.shown.row.content)
    if (who === undefined || who === viewer) break
    run.unshift(...item.rows)
    count++
  }
  if (run.length < FOLD_FROM) return
  items.splice(-count)
  items.push({ kind: 'system', key: run[0]!.key, shown: run[0]!, rows: run, lastTs: shown.row.ts })
}

const WELCOME = /^Welcome to bothy, ([A-Za-z0-9_-]{1,32}|Deleted User)! Say hello\.$/

/** The new account that a system message greets. */
export function welcomedIn(content: string | null): string | undefined {
  return WELCOME.exec(content ?? '')?.[1]
}

function addDeleted(items: Item[], shown: ShownRow) {
  items.push({ kind: 'deleted', key: shown.key, rows: [shown], lastTs: shown.row.ts })
  const run: ShownRow[] = []
  let count = 0
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!
    // The root of a thread keeps its line, which opens it.
    if (item.kind !== 'deleted' || item.rows[0]!.row.extra?.replies) break
    run.unshift(...item.rows)
    count++
  }
  if (run.length < FOLD_FROM) return
  items.splice(-count)
  items.push({ kind: 'deleted', key: run[0]!.key, rows: run, lastTs: shown.row.ts })
}

function isImageOnly(row: MessagePayload) {
  return row.filename !== null && !row.content
}

function belongsToGallery(item: Extract<Item, { kind: 'message' }>, row: MessagePayload) {
  const head = item.shown.row
  if (!isImageOnly(row) || row.sender !== head.sender || row.ts - item.lastTs > GALLERY_WITHIN) return false
  return row.reply_to_id === null || row.reply_to_id === head.reply_to_id
}

function continues(item: Extract<Item, { kind: 'message' }>, row: MessagePayload, sameParent: boolean) {
  return (
    item.shown.row.sender === row.sender &&
    item.shown.row.extra?.bot?.name === row.extra?.bot?.name &&
    row.ts - item.lastTs <= GROUP_WITHIN &&
    (row.reply_to_id === null || sameParent)
  )
}
