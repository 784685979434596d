/** The words of two versions of a text, for reading side by side. Pure. */

export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Beyond this product of lengths, the middle of both texts counts as replaced. */
const MOST_COMPARED = 1_000_000

/** Splits into words with the white space around them; joined they are the text. */
const wordsOf = (text: string) => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? []

/** Turns `before` into `after`: a shortest sequence of removed and added words. Neighbours of a kind are joined. */
export function wordChanges(before: string, after: string): WordChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  let from = 0
  while (from < old.length && from < now.length && old[from] === now[from]) from++
  let end = 0
  while (end < old.length - from && end < now.length - from && old.at(-1 - end) === now.at(-1 - end)) end++
  const changes: WordChange[] = []
  const add = (kind: WordChange['kind'], words: string[]) => {
    const text = words.join('')
    if (text === '') return
    const last = changes.at(-1)
    if (last?.kind === kind) last.text += text
    else changes.push({ kind, text })
  }
  add('same', old.slice(0, from))
  for (const [kind, word] of between(old.slice(from, old.length - end), now.slice(from, now.length - end)))
    add(kind, [word])
  add('same', old.slice(old.length - end))
  return changes
}

function between(old: string[], now: string[]): [WordChange['kind'], string][] {
  const replaced = (): [WordChange['kind'], string][] => [
    ...old.map(word => ['removed', word] as [WordChange['kind'], string]),
    ...now.map(word => ['added', word] as [WordChange['kind'], string]),
  ]
  if (old.length * now.length > MOST_COMPARED) return replaced()
  // common[i][j]: words in common of old from i and now from j.
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const found: [WordChange['kind'], string][] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push(['same', old[i]!])
      i++
      j++
    } else if (
      j === now.length ||
      (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      found.push(['removed', old[i++]!])
    else found.push(['added', now[j++]!])
  }
  return found
}
