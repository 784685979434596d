/** Days, months and years of search filters, in a time zone. */
import type { Seconds } from './units.ts'

/** Start (inclusive) and end (exclusive). */
export interface Span {
  start: Seconds
  end: Seconds
}

interface Day {
  year: number
  /** From 1. Values outside of the month are carried, as by `Date.UTC`. */
  month: number
  day: number
}

/** The offset of a zone differs from UTC by less than this. */
const LARGEST_OFFSET: Seconds = 16 * 3600
const EARLIEST_YEAR = 1970

/**
 * Returns the span of `2026-03-01`, `2026-03`, `2026`, `today`, `yesterday`, `7d` (the day seven days ago) or `2w`;
 * undefined for other text.
 */
export function spanOf(text: string, now: Seconds, timeZone: string): Span | undefined {
  const zone = zoned(timeZone)
  const between = (from: Day, to: Day) => ({ start: startOf(from, zone), end: startOf(to, zone) })
  const ago = (days: number) => {
    const today = zone(now)
    return between({ ...today, day: today.day - days }, { ...today, day: today.day - days + 1 })
  }
  const lower = text.toLowerCase()
  if (lower === 'today') return ago(0)
  if (lower === 'yesterday') return ago(1)
  const [, count, unit] = /^(\d{1,4})([dw])$/.exec(lower) ?? []
  if (count !== undefined) return ago(Number(count) * (unit === 'w' ? 7 : 1))
  const [whole, year = 0, month, day] = (/^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(lower) ?? []).map(Number)
  if (whole === undefined || !year || year < EARLIEST_YEAR) return undefined
  if (month === undefined || Number.isNaN(month)) {
    return between({ year, month: 1, day: 1 }, { year: year + 1, month: 1, day: 1 })
  }
  if (month < 1 || month > 12) return undefined
  if (day === undefined || Number.isNaN(day)) {
    return between({ year, month, day: 1 }, { year, month: month + 1, day: 1 })
  }
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  return between({ year, month, day }, { year, month, day: day + 1 })
}

/** Returns the days of `2026-03` in order; undefined for other text. */
export function daysOfMonth(text: string, timeZone: string): Span[] | undefined {
  const [, year = 0, month = 0] = (/^(\d{4})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (year < EARLIEST_YEAR || month < 1 || month > 12) return undefined
  const zone = zoned(timeZone)
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const starts = Array.from({ length: length + 1 }, (_, at) => startOf({ year, month, day: at + 1 }, zone))
  return starts.slice(0, -1).map((start, at) => ({ start, end: starts[at + 1]! }))
}

/** True for a zone that this program knows, for example `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Returns the function from an instant to its day in the zone. */
function zoned(timeZone: string): (at: Seconds) => Day {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  return at => {
    const parts = new Map(format.formatToParts(at * 1000).map(part => [part.type, Number(part.value)]))
    return { year: parts.get('year')!, month: parts.get('month')!, day: parts.get('day')! }
  }
}

/** The first second of a day: a binary search, because a change of the clock may skip midnight. */
function startOf(day: Day, zone: (at: Seconds) => Day): Seconds {
  const midnight = utc(day)
  let [before, from] = [midnight - LARGEST_OFFSET, midnight + LARGEST_OFFSET]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (utc(zone(middle)) >= midnight) from = middle
    else before = middle
  }
  return from
}

const utc = ({ year, month, day }: Day): Seconds => Date.UTC(year, month - 1, day) / 1000
