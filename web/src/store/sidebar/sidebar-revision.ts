/** Order of the payloads of the own sidebar: frames may arrive after the response to a later change. Pure. */
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'

let newest = 0

let isNewStream = false

/** True for a payload that is older than one taken before. Servers of before send no revision. */
export function isOutdated(rev: number | undefined, isFrame: boolean): boolean {
  if (rev === undefined) return false
  if (rev < newest && !(isFrame && isNewStream)) return true
  newest = rev
  isNewStream = false
  return false
}

/**
 * The first frame of a new stream may have a lower revision, as after a restored backup. A late response may not: the
 * stream sends nothing while the sidebar is the one that this tab has.
 */
export function forgetRevision() {
  isNewStream = true
}

/** Changes of this tab, each until its response and, for the last, until the sidebar is loaded again. */
let changes = 0
/** The newest frame since then. It may be older than what is shown, even with the revision of the last payload. */
let deferred: SidebarPayload | undefined

export function beginChange() {
  changes++
}

export const isLastChange = () => changes === 1

/** Returns the frame to take now, if one was deferred and no change remains. */
export function endChange(): SidebarPayload | undefined {
  changes--
  if (changes > 0) return undefined
  const frame = deferred
  deferred = undefined
  return frame
}

/** True while a change is underway: `endChange` then returns the frame. */
export function isDeferred(frame: SidebarPayload): boolean {
  if (changes === 0) return false
  deferred = frame
  return true
}
