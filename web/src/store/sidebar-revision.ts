/** Order of the payloads of the own sidebar: frames may arrive after the response to a later change. Pure. */

let newest = 0

/** True for a payload that is older than one taken before. Servers of before send no revision. */
export function isOutdated(rev: number | undefined): boolean {
  if (rev === undefined) return false
  if (rev < newest) return true
  newest = rev
  return false
}

/** A new stream begins with the present state; revisions fall when a backup is restored. */
export function forgetRevision() {
  newest = 0
}
