import type { Seconds } from '#shared/domain/units.ts'
import { sweepPool } from './file-pool.ts'
import type { Place } from './place.ts'

/** How many backups are kept: the newest of each of the last days, and of each of the last weeks, that have one. */
export interface Keep {
  daily: number
  weekly: number
}

const DAY: Seconds = 86_400
/** 5 January 1970 was a Monday. */
const FIRST_MONDAY: Seconds = 4 * DAY

/**
 * Names to remove, of the names of backups newest first. The newest is never among them. `own`: those of the janitor; one that
 * somebody else made, such as an upgrade that may go back to it, stays for a day.
 */
export function superfluous(
  names: readonly string[],
  { daily, weekly }: Keep,
  own: ReadonlySet<string>,
): string[] {
  const kept = new Set(names.slice(0, 1))
  for (const [span, most] of [
    [(ts: Seconds) => Math.floor(ts / DAY), daily],
    [(ts: Seconds) => Math.floor((ts - FIRST_MONDAY) / (7 * DAY)), weekly],
  ] as const) {
    const seen = new Set<number>()
    for (const name of names) {
      const number = span(timeOf(name))
      if (seen.has(number) || seen.size >= most) continue
      seen.add(number)
      kept.add(name)
    }
  }
  const isSpared = (name: string) => !own.has(name) && timeOf(name) > timeOf(names[0]!) - DAY
  return names.filter(name => !kept.has(name) && !isSpared(name))
}

/** The time in the name of a backup. */
export const timeOf = (name: string): Seconds =>
  Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z')) / 1000

/** Removes the backups that a rule does not keep, and then the files that none names. The caller has the lock of backups. */
export async function rotate(
  place: Place,
  keep: Keep,
  own: ReadonlySet<string>,
): Promise<{ backups: string[]; files: number }> {
  const backups = superfluous(await place.backups(), keep, own)
  for (const name of backups) await place.removeBackup(name)
  return { backups, files: await sweepPool(place) }
}
