/** The query language of searches (interface 14.1). The server searches with it; the client makes chips of it. */
import { accentPattern, type Folded, fold, foldWithPlaces, withAccents } from './fold.ts'
import { type Span, spanOf } from './search-dates.ts'
import type { Seconds } from './units.ts'

export const FILTER_NAMES = ['from', 'in', 'before', 'after', 'on', 'has', 'is', 'name'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

export const HAS_KINDS = [
  'file',
  'image',
  'video',
  'audio',
  'pdf',
  'link',
  'reaction',
  'pin',
  'thread',
  'code',
] as const
export type HasKind = (typeof HAS_KINDS)[number]
export const IS_KINDS = ['dm', 'mention', 'saved', 'thread', 'reply', 'unread', 'edited', 'bot'] as const
export type IsKind = (typeof IS_KINDS)[number]

export const LONGEST_QUERY = 500

/** A part of a query between white space. */
export interface SearchToken {
  /** As typed. */
  raw: string
  /** Begins with `-`. */
  isNegated: boolean
  /** Undefined for a word or phrase. */
  name: FilterName | undefined
  /** Without quotes and escapes. */
  value: string
  /** Position in the query, in UTF-16 units. */
  from: number
  to: number
}

/** The reasons for which a token is left out; the last two match nothing. */
export const PROBLEM_REASONS = [
  'empty',
  'bad_date',
  'unknown_value',
  'unknown_person',
  'unknown_channel',
] as const
export type ProblemReason = (typeof PROBLEM_REASONS)[number]

export interface SearchProblem {
  token: string
  why: ProblemReason
}

/** Wanted and unwanted values of one filter. */
export interface Both<Value> {
  yes: Value[]
  no: Value[]
}

export interface SearchQuery {
  /** Substrings, folded: all of `yes`, none of `no`. */
  words: Both<string>
  /** Names as typed: any of `yes`, none of `no`. */
  from: Both<SearchToken>
  in: Both<SearchToken>
  has: Both<HasKind>
  is: Both<IsKind>
  /** Substrings of the original name of a file: all of `yes`, none of `no`. */
  name: Both<string>
  start: Seconds | undefined
  end: Seconds | undefined
  /** Excluded by `-on:`. */
  notWithin: Span[]
  problems: SearchProblem[]
  /** True if no token without a problem is left. */
  isEmpty: boolean
}

/** Splits a query at white space outside of quotes. An unclosed quote extends to the end. */
export function tokensOf(query: string): SearchToken[] {
  const tokens: SearchToken[] = []
  const space = /\s+/y
  for (let at = 0; at < query.length; ) {
    space.lastIndex = at
    if (space.test(query)) {
      at = space.lastIndex
      continue
    }
    const token = tokenAt(query, at)
    tokens.push(token)
    at = token.to
  }
  return tokens
}

const FILTER = new RegExp(`(${FILTER_NAMES.join('|')}):`, 'iy')
/** Quotation marks of keyboards, English, German, French and other languages; each with those that close it. */
const PHRASE = /"([^"]*)(?:"|$)|＂([^＂]*)(?:＂|$)|[„“”‟]([^“”‟]*)(?:[“”‟]|$)|[«»]([^«»]*)(?:[«»]|$)/y
const REST = /\S*/y

function tokenAt(query: string, from: number): SearchToken {
  const isNegated = query[from] === '-' && /\S/.test(query[from + 1] ?? ' ')
  const afterSign = isNegated ? from + 1 : from
  const name = matchAt(FILTER, query, afterSign)?.[1]?.toLowerCase() as FilterName | undefined
  const valueFrom = name === undefined ? afterSign : afterSign + name.length + 1
  const phrase = matchAt(PHRASE, query, valueFrom)
  const whole = phrase ?? matchAt(REST, query, valueFrom)!
  const to = valueFrom + whole[0].length
  const value = (
    phrase ? phrase.slice(1).find(part => part !== undefined)! : whole[0].replaceAll('\\:', ':')
  ).trim()
  return { raw: query.slice(from, to), isNegated, name, value, from, to }
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Writes a token so that `tokensOf` reads it back. `value` contains no quotation mark. */
export function filterToken(name: FilterName, value: string, isNegated = false): string {
  const quoted = /\s/.test(value) ? `"${value}"` : value
  return `${isNegated ? '-' : ''}${name}:${quoted}`
}

/** Parses a query; dates are relative to `now` in the time zone. */
export function parseSearch(query: string, now: Seconds, timeZone: string): SearchQuery {
  const parsed: SearchQuery = {
    words: { yes: [], no: [] },
    from: { yes: [], no: [] },
    in: { yes: [], no: [] },
    has: { yes: [], no: [] },
    is: { yes: [], no: [] },
    name: { yes: [], no: [] },
    start: undefined,
    end: undefined,
    notWithin: [],
    problems: [],
    isEmpty: true,
  }
  for (const token of tokensOf(query)) {
    const why = take(token, parsed, now, timeZone)
    if (why) parsed.problems.push({ token: token.raw, why })
    else parsed.isEmpty = false
  }
  return parsed
}

/** Adds a token to the query, or returns the reason to leave it out. */
function take(
  token: SearchToken,
  query: SearchQuery,
  now: Seconds,
  timeZone: string,
): ProblemReason | undefined {
  const { name, value } = token
  const side = token.isNegated ? 'no' : 'yes'
  if (value === '' || ((name === undefined || name === 'name') && fold(value) === '')) return 'empty'
  switch (name) {
    case undefined:
      query.words[side].push(value)
      return
    case 'from':
    case 'in':
      query[name][side].push(token)
      return
    case 'before':
    case 'after':
    case 'on': {
      const span = spanOf(value, now, timeZone)
      if (!span) return 'bad_date'
      narrow(query, name, span, token.isNegated)
      return
    }
    case 'has':
      return addKind(query.has[side], HAS_KINDS, value)
    case 'is':
      return addKind(query.is[side], IS_KINDS, value)
    case 'name':
      query.name[side].push(value)
      return
  }
}

function addKind<Kind extends string>(
  to: Kind[],
  kinds: readonly Kind[],
  value: string,
): ProblemReason | undefined {
  const lower = value.toLowerCase()
  const kind = kinds.find(one => one === lower)
  if (kind === undefined) return 'unknown_value'
  to.push(kind)
  return undefined
}

function narrow(query: SearchQuery, name: 'before' | 'after' | 'on', span: Span, isNegated: boolean) {
  if (name === 'on' && isNegated) {
    query.notWithin.push(span)
    return
  }
  const [starts, ends] =
    name === 'on'
      ? [span.start, span.end]
      : name === 'after'
        ? isNegated
          ? [undefined, span.end]
          : [span.end, undefined]
        : isNegated
          ? [span.start, undefined]
          : [undefined, span.start]
  if (starts !== undefined) query.start = Math.max(query.start ?? -Infinity, starts)
  if (ends !== undefined) query.end = Math.min(query.end ?? Infinity, ends)
}

/**
 * Ranges of a text that match a word, in UTF-16 units: sorted, without overlaps, at most `most`. Folded; accents of a
 * word must match.
 */
export function matchesIn(text: string, words: readonly string[], most = 100): [number, number][] {
  const folded = foldWithPlaces(text)
  const ranges = [...new Set(words)].flatMap(word => matchesOf(text, folded, word, most))
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const merged: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged.slice(0, most)
}

function matchesOf(text: string, folded: Folded, word: string, most: number): [number, number][] {
  const foldedWord = fold(word)
  const ranges: [number, number][] = []
  if (foldedWord === '') return ranges
  const pattern = accentPattern(withAccents(word))
  const accents = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  for (let at = folded.text.indexOf(foldedWord); at >= 0 && ranges.length < most; ) {
    const range = folded.original(at, at + foldedWord.length)
    if (accents === undefined || accents.test(withAccents(text.slice(...range)))) ranges.push(range)
    at = folded.text.indexOf(foldedWord, at + foldedWord.length)
  }
  return ranges
}
