/** Selects the rows of a list that are mounted: those near the viewport (ui.md 6.4). Pure. */

import type { Seconds } from '#shared/domain/units.ts'
import { type Item, isRowItem, rowsOf } from '../../../store/messages/items.ts'

/** Overscan in px: rows this far outside the viewport are mounted, or queued. */
export const OVERSCAN = 600
/** Rows within this many px of the viewport must be mounted before the next paint. */
const NEAR = 250
/** Rows mounted per animation frame at most, to keep frames short. */
const BITE = 6
/** Rows mounted at rest, for the browser's own search; they stay until others are needed. */
export const MOST_MOUNTED = 200
/** While scrolling keep fewer rows: each render is cheaper. */
export const MOST_MOVING = 60

/** A range of item indexes, `to` excluded. */
export interface Span {
  from: number
  to: number
}

/**
 * `tops[i]` is the top of item `i`; one more entry is the end. Returns `before` itself while it covers the overscan,
 * else a span with up to `bite` more rows (0: only those needed for the next paint) and without a few of the farthest.
 */
export function spanFor(
  tops: ArrayLike<number>,
  view: { top: number; bottom: number },
  before: Span,
  { overscan = OVERSCAN, bite = BITE } = {},
): Span {
  const least = within(tops, view.top - overscan, view.bottom + overscan)
  if (covers(before, least) && before.to - before.from <= MOST_MOUNTED) return before
  const near = Math.min(NEAR, overscan)
  const seen = within(tops, view.top - near, view.bottom + near)
  const isLeap = before.to <= seen.from || before.from >= seen.to
  const base = isLeap ? seen : both(before, seen)
  if (bite === 0) return covers(before, base) ? before : base
  const [above, below] = [base.from > least.from, base.to < least.to]
  const each = above && below ? bite >> 1 : bite
  const grown = {
    from: above ? Math.max(0, base.from - each) : base.from,
    to: below ? Math.min(tops.length - 1, base.to + each) : base.to,
  }
  return trimmed(grown, least, Math.max(MOST_MOVING, Math.min(MOST_MOUNTED, before.to - before.from) - bite))
}

/** Drops rows until `most` are left, larger surplus first, never rows inside `least`. */
function trimmed(span: Span, least: Span, most: number): Span {
  const extra = Math.max(0, span.to - span.from - most)
  const above = Math.max(0, least.from - span.from)
  const below = Math.max(0, span.to - least.to)
  const down = below >= above ? Math.min(extra, below) : Math.min(below, Math.max(0, extra - above))
  return { from: span.from + Math.min(above, extra - down), to: span.to - down }
}

/** Extends the span on both sides, while idle. */
export function grown(span: Span, count: number, by: number): Span {
  const room = MOST_MOUNTED - (span.to - span.from)
  if (room <= 0) return span
  const step = Math.min(by, room)
  const from = Math.max(0, span.from - Math.ceil(step / 2))
  const to = Math.min(count, span.to + step - (span.from - from))
  return from === span.from && to === span.to ? span : { from, to }
}

const both = (one: Span, other: Span): Span => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
})

const covers = (one: Span, other: Span) => one.from <= other.from && one.to >= other.to

/** The items that intersect a vertical range. */
function within(tops: ArrayLike<number>, top: number, bottom: number): Span {
  const count = tops.length - 1
  const from = Math.min(
    count,
    firstWhere(count, i => tops[i + 1]! > top),
  )
  return {
    from,
    to: Math.max(
      from,
      firstWhere(count, i => tops[i]! >= bottom),
    ),
  }
}

export function firstWhere(count: number, holds: (at: number) => boolean): number {
  let first = 0
  let beyond = count
  while (first < beyond) {
    const middle = (first + beyond) >> 1
    if (holds(middle)) beyond = middle
    else first = middle + 1
  }
  return first
}

/**
 * A span as times, because indexes change when older rows are prepended, and keys when rows are merged into one item.
 * `to` is Infinity where the span reaches the end of the channel, so that new rows are mounted.
 */
export interface Times {
  from: Seconds
  to: Seconds
}

export function timesOf(items: Item[], { from, to }: Span, hasEnd: boolean): Times {
  const first = items[from]
  const last = items[to - 1]
  return {
    from: first ? beginOf(first, items[from + 1]) : Infinity,
    to: (hasEnd && to >= items.length) || !last ? Infinity : beginOf(last, items[to]),
  }
}

/** Date and New lines belong to the row below them. Rows not stored yet sort last, whatever their clock says. */
export function spanOf(items: Item[], times: Times): Span {
  const from = items.findIndex(
    (item, at) => (isRowItem(item) ? item.lastTs : beginOf(item, items[at + 1])) >= times.from,
  )
  if (from < 0) return { from: items.length, to: items.length }
  if (times.to === Infinity) return { from, to: items.length }
  const to = items.findIndex((item, at) => at > from && beginOf(item, items[at + 1]) > times.to)
  return { from, to: to < 0 ? items.length : to }
}

function beginOf(item: Item, next: Item | undefined): Seconds {
  if (isRowItem(item)) return rowsOf(item)[0]!.row.ts
  if (item.kind === 'day') return item.ts
  return next && isRowItem(next) ? rowsOf(next)[0]!.row.ts : Infinity
}
