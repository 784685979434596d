/** Which rows of a list are in the page: those near what is seen (ui.md 6.4). Pure. */

import type { Seconds } from '#shared/rules/units.ts'
import { type Item, isRowItem, rowsOf } from '../store/items.ts'

/** So much beyond both edges of what is seen is there, or on its way. */
export const OVERSCAN = 600
/** And so much must be there before the next paint. */
const NEAR = 250
/** So many rows come with one frame, so that none of them is long. */
const BITE = 6
/** At rest there are so many, for the browser's own search; they stay until others are needed. */
export const MOST_MOUNTED = 200
/** On the way a drawing is the cheaper the fewer there are. */
export const MOST_MOVING = 60

/** Places in the list of items, the end not included. */
export interface Span {
  from: number
  to: number
}

/**
 * `tops[i]` is where item `i` begins, and one more where the last one ends. Answers `before` itself while it is enough, else one
 * that has a few more rows (`bite`; none: only what must be there now), and loses a few of those that are farthest away.
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

/** Without what is too much, as far as it can be spared: from the side that has more of it, then from the other. */
function trimmed(span: Span, least: Span, most: number): Span {
  const extra = Math.max(0, span.to - span.from - most)
  const above = Math.max(0, least.from - span.from)
  const below = Math.max(0, span.to - least.to)
  const down = below >= above ? Math.min(extra, below) : Math.min(below, Math.max(0, extra - above))
  return { from: span.from + Math.min(above, extra - down), to: span.to - down }
}

/** A little more on both sides, while nothing else is to do. */
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

/** The items that touch a stretch of the list. */
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
 * A span as times, because places change when older rows come in front, and keys when rows become one item. The end is
 * Infinity where the span reaches the end of the channel, so that what comes is in the page.
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

/** Date and New lines belong to the row below them. Rows that are not stored yet come last, whatever their clock says. */
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
