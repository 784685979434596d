/** Ids of channels that are easily taken for each other: a word more, another order of words, a slip of the keys. */
export function isCloseName(a: string, b: string): boolean {
  if (a === b) return false
  const words = [wordsOf(a), wordsOf(b)]
  const [fewer, more] = words.sort((one, other) => one.length - other.length) as [string[], string[]]
  if (fewer.join('').length < SHORTEST) return false
  if (fewer.every(word => more.includes(word))) return true
  const [shorter, longer] = [fewer.join(''), more.join('')].sort((one, other) => one.length - other.length)
  if (longer!.startsWith(shorter!)) return true
  return isOneSlip(shorter!, longer!)
}

/** Beginning and end of an id, with a letter or more between them: one slip changes at most one of both. */
export function partsOf(id: string): [start: string, end: string] {
  const letters = Math.min(Math.max(Math.floor((id.length - 1) / 2), 1), 3)
  return [id.slice(0, Math.max(letters, Math.min(3, id.length - letters - 1))), id.slice(-letters)]
}

/** Below this many characters, most names would be close. */
const SHORTEST = 3

const wordsOf = (id: string) => id.split(/[-_]+/).filter(word => word !== '')

/** True if the names differ by a character: added, replaced, or in the place of the next. */
function isOneSlip(shorter: string, longer: string): boolean {
  const start = [...longer].findIndex((letter, at) => shorter[at] !== letter)
  const [rest, other] = [shorter.slice(start), longer.slice(start)]
  if (rest.length < other.length) return rest === other.slice(1)
  return rest.slice(1) === other.slice(1) || `${rest[1]}${rest[0]}${rest.slice(2)}` === other
}
