/** Scores how well a name matches a query, without regard to case, accents and width. Pure. */
import { fold, foldWithPlaces } from '#shared/domain/fold.ts'

export interface Fit {
  /** Larger is better. */
  score: number
  /** The name, split at the matches. */
  parts: { text: string; hit: boolean }[]
}

/** Base scores, too far apart for a bonus to reach the next. */
const WHOLE = 500
const START = 400
const WORD = 300
const INSIDE = 200
const SCATTERED = 100

const BETWEEN_WORDS = /[\s\-_,.:/#@]/

/** Matches the beginning, else a word, else a substring, else scattered letters in order. Undefined without a match. */
export function fitOf(typed: string, name: string): Fit | undefined {
  const wanted = fold(typed.trim())
  const { text, original } = foldWithPlaces(name)
  if (wanted === '') return { score: 0, parts: uncut(name) }
  const at = bestPlace(text, wanted)
  if (at >= 0) {
    const kind =
      at === 0 ? (text.length === wanted.length ? WHOLE : START) : isWordStart(text, at) ? WORD : INSIDE
    return { score: kind + nearness(name), parts: cut(name, range(...original(at, at + wanted.length))) }
  }
  const places = scattered(text, wanted.replaceAll(/\s/g, ''))
  if (!places) return undefined
  const starts = places.filter(place => isWordStart(text, place)).length
  const joined = places.filter((place, index) => place === places[index - 1]! + 1).length
  return {
    score: SCATTERED + 4 * starts + 2 * joined + nearness(name),
    parts: cut(
      name,
      places.flatMap(place => range(...original(place, place + 1))),
    ),
  }
}

/** True if each word of the query begins a word of the names, in any order: `otti bald` for a conversation of two. */
export function hasWords(typed: string, names: string): boolean {
  const text = fold(names)
  return fold(typed)
    .split(/\s+/)
    .every(word => {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
        if (isWordStart(text, at)) return true
      return false
    })
}

/** Bonus for shorter names, below any other bonus. */
const nearness = (name: string) => 1 / (1 + name.length)

/** The match at a word start, else the first match. */
function bestPlace(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (isWordStart(text, at)) return at
  return text.indexOf(wanted)
}

/** Must start at a word: letters from the middle of words match almost anything. */
function scattered(text: string, wanted: string): number[] | undefined {
  if (wanted.length < 2) return undefined
  const places: number[] = []
  for (const letter of wanted) {
    const from = (places.at(-1) ?? -1) + 1
    const next = text.indexOf(letter, from)
    if (next < 0) return undefined
    const start = startAfter(text, letter, from)
    // Prefer the start of a word if the remaining letters still match after it.
    const rest = wanted.slice(places.length + 1)
    places.push(start >= 0 && holds(text, rest, start + 1) ? start : next)
  }
  return isWordStart(text, places[0]!) ? places : undefined
}

function startAfter(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at
  return -1
}

function holds(text: string, letters: string, from: number): boolean {
  let at = from
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

const isWordStart = (text: string, at: number) => at === 0 || BETWEEN_WORDS.test(text[at - 1]!)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const uncut = (text: string) => [{ text, hit: false }]

function cut(text: string, places: number[]): Fit['parts'] {
  const hits = new Set(places)
  const parts: Fit['parts'] = []
  for (let at = 0; at < text.length; at++) {
    const hit = hits.has(at)
    const last = parts.at(-1)
    if (last?.hit === hit) last.text += text[at]
    else parts.push({ text: text[at]!, hit })
  }
  return parts
}
