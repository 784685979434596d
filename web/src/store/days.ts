/** Days by the clock of this device. Pure but for its time zone. */
import type { Seconds } from '#shared/domain/units.ts'

/** Midnight so many days ago. Days have 23 or 25 hours when the clocks change. */
export function startOfDay(ago: number, now = new Date()): Seconds {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago).getTime() / 1_000
}

/** Midnight of a date field's value; undefined while it is incomplete. */
export function dateIn(value: string): Seconds | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // The constructor takes years below 100 for those of the last century.
  date.setFullYear(Number(year))
  return Math.max(0, date.getTime() / 1_000)
}
