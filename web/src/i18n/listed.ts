import type { Seconds } from '#shared/domain/units.ts'
import type { Formats } from './formats.ts'

const DAY: Seconds = 86_400

/** 09:31; Yesterday, 09:31; Monday; 18 Nov; 18 Nov 2025: the time at the end of a row, in the formats of a language. */
export const listedIn =
  ({ time, date, since, shortDayOfYear }: Formats) =>
  (ts: Seconds, now = new Date()): string => {
    const isOn = (day: Date) => new Date(ts * 1000).toDateString() === day.toDateString()
    if (isOn(now)) return time(ts)
    const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
    if (isOn(yesterday)) return `${date(ts, now)}, ${time(ts)}`
    const then = new Date(ts * 1000)
    const isOfYear = then.getFullYear() === now.getFullYear() || now.getTime() / 1000 - ts < 6 * DAY
    return isOfYear ? since(ts, now) : shortDayOfYear(then)
  }
