/** Order of the payloads of the own sidebar: frames may arrive after the response to a later change. Pure. */

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
