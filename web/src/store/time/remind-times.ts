/** Times offered for reminders and scheduled messages, in the time zone of this device. Pure. */
import type { Seconds } from '#shared/domain/units.ts'

export type TimeName = 'twentyMinutes' | 'hour' | 'threeHours' | 'tomorrow' | 'monday'

export interface OfferedTime {
  name: TimeName
  ts: Seconds
}

const MINUTE: Seconds = 60
const MORNING = 9
const MONDAY = 1

export function remindTimes(now: Date): OfferedTime[] {
  const in_ = (minutes: number) => now.getTime() / 1000 + minutes * MINUTE
  return [
    { name: 'twentyMinutes', ts: in_(20) },
    { name: 'hour', ts: in_(60) },
    { name: 'threeHours', ts: in_(180) },
    ...mornings(now),
  ]
}

/** Tomorrow and the next Monday at nine, which may be the same. */
export function mornings(now: Date): OfferedTime[] {
  const tomorrow = morningIn(now, 1)
  const monday = morningIn(now, (MONDAY - now.getDay() + 7) % 7 || 7)
  return [
    { name: 'tomorrow', ts: tomorrow },
    ...(monday === tomorrow ? [] : [{ name: 'monday' as const, ts: monday }]),
  ]
}

function morningIn(now: Date, days: number): Seconds {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING).getTime() / 1000
}

/** Value of a field `datetime-local`. */
export function fieldValue(ts: Seconds): string {
  const date = new Date(ts * 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
