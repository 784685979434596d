/** State of a connection as shown to the user, and the schedule of ICE restarts (ui.md 5.10, Trouble). Pure. */
import type { Milliseconds } from '#shared/domain/units.ts'

/** `new`: too early to report; `lost`: was up before; `none`: tried for long. */
export type Path = 'new' | 'connecting' | 'up' | 'lost' | 'none'

const QUIET: Milliseconds = 3_000
/** Short interruptions often end by themselves. */
const STUTTER: Milliseconds = 1_500
const HOPELESS: Milliseconds = 20_000

export function pathOf(isUp: boolean, wasUp: boolean, downFor: Milliseconds): Path {
  if (isUp) return 'up'
  if (downFor >= HOPELESS) return 'none'
  if (wasUp) return downFor >= STUTTER ? 'lost' : 'up'
  return downFor >= QUIET ? 'connecting' : 'new'
}

/** ICE restarts while the connection is down: soon, then less and less often, as long as the call lasts. */
const RESTARTS: readonly Milliseconds[] = [2_000, 6_000, 12_000, 20_000]
const LATER_EVERY: Milliseconds = 15_000
/** Both sides notice; the polite one lets the other restart first. */
const POLITE_PAUSE: Milliseconds = 2_000

/** Number of restarts due by now. */
export function restartsBy(downFor: Milliseconds, polite: boolean): number {
  const since = downFor - (polite ? POLITE_PAUSE : 0)
  const early = RESTARTS.filter(at => at <= since).length
  return early + Math.max(0, Math.floor((since - RESTARTS.at(-1)!) / LATER_EVERY))
}
