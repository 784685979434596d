/** The end of a day in a time zone. Pure. */
import type { Seconds } from '#shared/domain/units.ts'

/** Midnight after the day that contains `at`, as the clocks of the zone show it. `days`: of a later day. */
export function endOfDay(at: Date, timezone: string | undefined, days = 0): Seconds {
  const [year, month, day] = dateIn(at, timezone)
  return startOf(year, month, day + 1 + days, timezone)
}

/** Midnight after a date such as `2026-03-01`. */
export function endOfDate(date: string, timezone: string | undefined): Seconds {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return startOf(year, month, day + 1, timezone)
}

function startOf(year: number, month: number, day: number, timezone: string | undefined): Seconds {
  const wanted = Date.UTC(year, month - 1, day)
  // The offset at the result counts: it may change in between.
  let at = wanted - offsetAt(wanted, timezone)
  at = wanted - offsetAt(at, timezone)
  return at / 1_000
}

function dateIn(at: Date, timezone: string | undefined): [number, number, number] {
  const local = new Date(at.getTime() + offsetAt(at.getTime(), timezone))
  return [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()]
}

/** Milliseconds by which the clocks of the zone are ahead of UTC. An unknown zone is that of the machine. */
function offsetAt(at: number, timezone: string | undefined): number {
  const parts = Object.fromEntries(
    formatIn(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
}

function formatIn(timezone: string | undefined): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
  } as const
  try {
    return new Intl.DateTimeFormat('en', { ...fields, ...(timezone && { timeZone: timezone }) })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new Intl.DateTimeFormat('en', fields)
  }
}
