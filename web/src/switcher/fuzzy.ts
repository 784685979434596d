/** How well a name fits what was typed. Pure. */

export interface Fit {
  /** Better is larger. */
  score: number
  /** The name cut where what was typed stands in it. */
  parts: { text: string; hit: boolean }[]
}

/** The kinds of fit lie so far apart that no bonus lifts one into the next. */
const WHOLE = 500
const START = 400
const WORD = 300
const INSIDE = 200
const SCATTERED = 100

const BETWEEN_WORDS = /[\s\-_,.:/#@]/

/** Its beginning, then a word in it, then anywhere in it, then its letters in order. Undefined if it does not fit. */
export function fitOf(typed: string, name: string): Fit | undefined {
  const wanted = typed.trim().toLowerCase()
  const text = name.toLowerCase()
  // Lower case may be longer than the text in a few scripts; then places do not agree, and only the whole is marked.
  if (text.length !== name.length)
    return text.includes(wanted) ? { score: INSIDE, parts: uncut(name) } : undefined
  if (wanted === '') return { score: 0, parts: uncut(name) }
  const at = bestPlace(text, wanted)
  if (at >= 0) {
    const kind =
      at === 0 ? (text.length === wanted.length ? WHOLE : START) : isWordStart(text, at) ? WORD : INSIDE
    return { score: kind + nearness(name), parts: cut(name, range(at, wanted.length)) }
  }
  const places = scattered(text, wanted.replaceAll(/\s/g, ''))
  if (!places) return undefined
  const starts = places.filter(place => isWordStart(text, place)).length
  const joined = places.filter((place, index) => place === places[index - 1]! + 1).length
  return { score: SCATTERED + 4 * starts + 2 * joined + nearness(name), parts: cut(name, places) }
}

/** Of two that fit alike the shorter one is nearer. Less than one step of any other bonus. */
const nearness = (name: string) => 1 / (1 + name.length)

/** Where it begins a word, if it does so anywhere. */
function bestPlace(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (isWordStart(text, at)) return at
  return text.indexOf(wanted)
}

/** From the beginning of a word on: letters from the middle of words fit almost anything. */
function scattered(text: string, wanted: string): number[] | undefined {
  if (wanted.length < 2) return undefined
  const places: number[] = []
  for (const letter of wanted) {
    const from = (places.at(-1) ?? -1) + 1
    const next = text.indexOf(letter, from)
    if (next < 0) return undefined
    const start = startAfter(text, letter, from)
    // A word that begins with the letter, as long as the rest still fits behind it.
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
const range = (from: number, length: number) => Array.from({ length }, (_, at) => from + at)
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
