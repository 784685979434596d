/** Days by the clock of this device. Pure but for its time zone. */
import type { Seconds } from '#shared/domain/units.ts'

/** Midnight, `ago` days before today. Days have 23 or 25 hours when the clocks change. */
export function startOfDay(ago: number, now = new Date()): Seconds {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago).getTime() / 1_000
}
