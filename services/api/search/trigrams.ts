/** More would cost more than they tell. */
const MOST = 24

/** Trigrams that a text with all words has, and by which the index finds it: three letters or digits, or two at the edge of a word. */
export function trigramsOf(words: readonly string[]): string[] {
  const trigrams = new Set<string>()
  for (const word of words) {
    const text = word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    for (const [, trigram] of text.matchAll(/(?=(\S{3}|\S{2} | \S{2}))/gu)) trigrams.add(trigram!)
  }
  return [...trigrams].slice(0, MOST)
}
