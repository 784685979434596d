/** The clock of somebody in another time zone. */
import { hours } from '../i18n/formats.ts'

const FIRST_HOUR = 8
const LAST_HOUR = 18

/** The clock of the person; undefined for a zone that this browser does not know. */
export function timeIn(timeZone: string, now = new Date()): string | undefined {
  try {
    return new Intl.DateTimeFormat(document.documentElement.lang, {
      hour: hours.value === 'h12' ? 'numeric' : '2-digit',
      minute: '2-digit',
      hourCycle: hours.value,
      timeZone,
    }).format(now)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/**
 * The clock of a person whose day differs from that of this device and who is outside of office hours: before 8, after
 * 18, or on a weekend. Undefined otherwise, and for a zone that this browser does not know.
 */
export function lateTimeIn(timeZone: string, now = new Date()): string | undefined {
  const time = timeIn(timeZone, now)
  if (time === undefined) return undefined
  const there = wallClock(now, timeZone)
  if (there.getTime() === wallClock(now).getTime()) return undefined
  const isWeekend = [0, 6].includes(there.getUTCDay())
  const hour = there.getUTCHours()
  return isWeekend || hour < FIRST_HOUR || hour >= LAST_HOUR ? time : undefined
}

/** Date and time of a zone, by default of this device, as UTC. */
function wallClock(now: Date, timeZone?: string): Date {
  const parts = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(now)
  const value = (type: string) => parts.find(part => part.type === type)!.value
  return new Date(
    `${value('year')}-${value('month')}-${value('day')}T${value('hour')}:${value('minute')}:00Z`,
  )
}
