/** Releases are three numbers, as in package.json; a suffix such as `-rc.1` does not count. */

/** True if `one` was released before `other`. */
export function isOlderRelease(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  for (const [i, number] of a.entries()) if (number !== b[i]) return number < b[i]!
  return false
}

/** Undefined for none. */
export const newestRelease = (releases: readonly string[]): string | undefined =>
  releases.reduce<string | undefined>(
    (newest, release) => (newest === undefined || isOlderRelease(newest, release) ? release : newest),
    undefined,
  )

function numbersOf(release: string): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(release)
  if (!parts) throw new Error(`“${release}” is not a release.`)
  return parts.slice(1).map(Number)
}
