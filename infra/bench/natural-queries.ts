/** Queries of several kinds by the frequency of their words in a corpus; the same in every run. */

const EACH = 25
const RARE = [1, 2] as const
const SELDOM = [10, 30] as const
const USUAL = [300, 3_000] as const
const FREQUENT = [50_000, Infinity] as const

export function queriesOf(sentences: readonly string[]): Record<string, string[]> {
  const words = sentences.map(sentence => sentence.toLowerCase().match(/[a-z]{4,}/g) ?? [])
  const counts = new Map<string, number>()
  for (const all of words) for (const word of new Set(all)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const isIn = (word: string, [least, most]: readonly [number, number]) => {
    const count = counts.get(word)!
    return count >= least && count <= most
  }
  /** Picks evenly, in the order of the corpus. */
  const pick = <T>(find: (all: string[], sentence: string) => T | undefined): T[] => {
    const found: T[] = []
    const step = Math.floor(sentences.length / EACH)
    for (let at = 0; found.length < EACH && at < sentences.length; at++) {
      const one = find(words[at]!, sentences[at]!)
      if (one === undefined || found.includes(one)) continue
      found.push(one)
      at += step - 1 - (at % step)
    }
    return found
  }
  const word = (range: readonly [number, number]) => pick(all => all.find(one => isIn(one, range)))
  return {
    'a rare word': word(RARE),
    'a seldom word': word(SELDOM),
    'a usual word': word(USUAL),
    'a frequent word': word(FREQUENT),
    'two words, one of them rare': pick(all =>
      pairOf(
        all,
        one => isIn(one, RARE),
        one => isIn(one, USUAL),
      ),
    ),
    'two usual words': pick(all =>
      pairOf(
        all,
        one => isIn(one, USUAL),
        one => isIn(one, USUAL),
      ),
    ),
    'a phrase of three words': pick((_, sentence) => {
      const phrase = /\b[A-Za-z]+ [A-Za-z]{4,} [A-Za-z]+\b/.exec(sentence.slice(20))?.[0]
      return phrase && `"${phrase}"`
    }),
    'no hit': pick(all => all.find(one => isIn(one, USUAL))?.replace(/^(.)(..)(.*)$/, 'z$3q$2')),
  }
}

function pairOf(words: string[], isFirst: (word: string) => boolean, isSecond: (word: string) => boolean) {
  const first = words.find(isFirst)
  const second = words.find(word => word !== first && isSecond(word))
  return first && second && `${first} ${second}`
}
