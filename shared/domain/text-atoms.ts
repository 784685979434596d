/**
 * Atoms of a paragraph, list item or table cell (interface 2.10): code, links, names, channels, emoji. The
 * server finds mentions with it, the client draws texts with it. A single pass without backtracking, so a hostile text
 * costs no more than a friendly one.
 */
import { SMILEY_HERE, SMILEYS } from './smileys.ts'
import { runLength } from './text-blocks.ts'

/** A part of a paragraph or list item. Positions are in UTF-16 units. */
export type Atom =
  /** Plain characters and marks. */
  | { kind: 'text'; from: number; to: number }
  /** A character after a backslash, which is no mark. */
  | { kind: 'escaped'; text: string }
  /** A possible mention: `@` and the token, which may be longer than the name. */
  | { kind: 'name'; from: number; to: number; token: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; text: string }
  | { kind: 'emoji'; name: string }
  /** Punctuation such as `:)`, and the emoji that it stands for. */
  | { kind: 'smiley'; typed: string; text: string }
  /** `#` and the name of a channel, as written. */
  | { kind: 'channel'; name: string }
  | { kind: 'break' }

/** Ends an address: white space, quotes, angle brackets, and the punctuation of Chinese and Japanese. */
const NO_ADDRESS =
  '\\s<>"\\u3001\\u3002\\u3008-\\u3011\\u3014-\\u301b\\uff01\\uff08\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\uff3b\\uff3d\\uff5b\\uff5d\\uff5f-\\uff64'
const URL_HERE = new RegExp(`https?://[^${NO_ADDRESS}]+`, 'iy')
/** The beginning of an address that may not be a link. */
const SCHEME_HERE = /(?:https?|ftp|wss?|file):\/\/|mailto:|www\./iy
const ADDRESS_END = new RegExp(`[${NO_ADDRESS}]`, 'g')
/** The address of a link with words, and its title in quotes, which is not shown. */
const LINK_TARGET = /^<?((?:https?:\/\/|mailto:)[^\s<>"]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'))?$/i
const NAME_CHARACTER = /[A-Za-z0-9_-]/
const BEFORE_NO_NAME = /[@/.+-]/
const BEFORE_NO_CHANNEL = /[@/.+#&-]/
const EMOJI_HERE = /:([a-z0-9_+-]{1,32}):/y
/** Characters that a backslash makes plain, anywhere and at the start of a line. */
const ESCAPED = /[*_~`[\]@#:|]/
const ESCAPED_FIRST = /[>+.)-]/
/** Scripts without spaces between words: a name, an address or a mark may follow a letter of them. */
const UNSPACED =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Bopo}\u30fc]/u

/**
 * Returns the atoms of a paragraph or list item in order. Together they cover the text. `channels`: the names after `#`
 * that count, which may contain spaces.
 */
export function atomsOf(
  text: string,
  isEmoji: (name: string) => boolean = () => false,
  channels: readonly string[] = [],
): Atom[] {
  return new Scanner(text, isEmoji, channels).atoms()
}

class Scanner {
  readonly #text: string
  readonly #isEmoji: (name: string) => boolean
  readonly #channels: readonly string[]
  #ticks: Map<number, number[]> | undefined
  readonly #found: Atom[] = []
  #pairs: Map<number, number> | undefined
  #at = 0
  /** Start of the plain characters before `#at`. */
  #plainFrom = 0
  /** End of the address around `#at`, if it is in one. */
  #addressEnd = 0
  /** No character of `[from, to)` ends an address: code ends many, each of which would go on to the end of the text. */
  #open = { from: 0, to: -1 }
  /** No link begins before this index: one that begins there would reach as far as a bad address did. */
  #badUntil = 0

  constructor(text: string, isEmoji: (name: string) => boolean, channels: readonly string[]) {
    this.#text = text
    this.#channels = channels
    this.#isEmoji = isEmoji
  }

  atoms(): Atom[] {
    while (this.#at < this.#text.length) {
      if (!this.#atomHere()) this.#at++
    }
    this.#endPlain()
    return this.#found
  }

  /** Adds the atom at the current position and moves behind it; false for a plain character. */
  #atomHere(): boolean {
    const text = this.#text
    const at = this.#at
    switch (text[at]) {
      case '\n':
        return this.#add({ kind: 'break' }, 1)
      case '\\':
        return this.#escapeHere()
      case '`':
        return this.#codeHere()
      case 'h':
      case 'H':
      case 'f':
      case 'F':
      case 'm':
      case 'M':
      case 'w':
      case 'W': {
        this.#noteAddress(at)
        const href = this.#linkAt(at)
        return href ? this.#add({ kind: 'link', href, text: href }, href.length) : false
      }
      case '[':
        return this.#namedLinkHere()
      case '@':
        return this.#nameHere()
      case '#':
        return this.#channelHere()
      case '<':
        return this.#bracketedLinkHere() || this.#smileyHere()
      case ':':
        return this.#emojiHere() || this.#smileyHere()
      case ';':
        return this.#smileyHere()
      default:
        return false
    }
  }

  /** A backslash before a mark. The shoulder of `¯\_(ツ)_/¯` stays. */
  #escapeHere() {
    const text = this.#text
    const at = this.#at
    const next = text[at + 1] ?? ''
    if (text[at - 1] === '¯' || this.#at < this.#addressEnd) return false
    if (next === '\\' && ESCAPED.test(text[at + 2] ?? ''))
      return this.#add({ kind: 'escaped', text: '\\' }, 2)
    if (!ESCAPED.test(next) && !isListMark(text, at, next)) return false
    return this.#add({ kind: 'escaped', text: next }, 2)
  }

  #codeHere() {
    const at = this.#at
    const run = runLength(this.#text, at, '`')
    this.#ticks ??= runsOf(this.#text, '`')
    const end = nextRun(this.#ticks, run, at)
    if (end === undefined) {
      this.#at += run
      return true
    }
    this.#addressEnd = 0
    return this.#add({ kind: 'code', text: this.#text.slice(at + run, end) }, end + run - at)
  }

  /** `[words](address)`; brackets in pairs, or after a backslash, belong to the words or the address. */
  #namedLinkHere() {
    const text = this.#text
    const at = this.#at
    this.#pairs ??= pairsIn(text)
    const wordsEnd = this.#pairs.get(at)
    if (wordsEnd === undefined || wordsEnd === at + 1 || text[wordsEnd + 1] !== '(' || at < this.#badUntil)
      return false
    const end = this.#pairs.get(wordsEnd + 1)
    if (end === undefined) return false
    const href = LINK_TARGET.exec(text.slice(wordsEnd + 2, end))?.[1]
    if (!href || !URL.canParse(href)) {
      this.#badUntil = end
      return false
    }
    const words = text.slice(at + 1, wordsEnd).replaceAll(/\\([[\]*_~`])/g, '$1')
    return this.#add({ kind: 'link', href, text: words }, end + 1 - at)
  }

  /** `<https://a.example/>`: the brackets are not shown. */
  #bracketedLinkHere() {
    const from = this.#at + 1
    const href = this.#urlAt(from)
    if (!href || this.#text[from + href.length] !== '>' || !this.#isComplete(href, from)) return false
    return this.#add({ kind: 'link', href, text: href }, href.length + 2)
  }

  /** Returns the complete web address that begins at an index. */
  #linkAt(at: number): string | undefined {
    const url = isWord(characterBefore(this.#text, at)) ? undefined : this.#urlAt(at)
    const href = url && withoutTail(url)
    return href && this.#isComplete(href, at) ? href : undefined
  }

  #urlAt(at: number): string | undefined {
    const first = this.#text[at]
    if ((first !== 'h' && first !== 'H') || at < this.#badUntil) return undefined
    return matchAt(URL_HERE, this.#text, at)?.[0]
  }

  #isComplete(href: string, at: number) {
    const isOne = URL.canParse(href)
    if (!isOne) this.#badUntil = at + href.length
    return isOne
  }

  #emojiHere() {
    const text = this.#text
    const at = this.#at
    const emoji = isWord(characterBefore(text, at)) ? null : matchAt(EMOJI_HERE, text, at)
    if (!emoji || !this.#isEmoji(emoji[1]!)) return false
    return this.#add({ kind: 'emoji', name: emoji[1]! }, emoji[0].length)
  }

  /** Between white space only, since `:/` is a part of addresses and `:p` of much else. */
  #smileyHere() {
    const text = this.#text
    const at = this.#at
    if (at > 0 && !/\s/.test(text[at - 1]!)) return false
    const typed = matchAt(SMILEY_HERE, text, at)?.[0]
    if (typed === undefined) return false
    return this.#add({ kind: 'smiley', typed, text: SMILEYS.get(typed)! }, typed.length)
  }

  #nameHere() {
    const text = this.#text
    const from = this.#at
    if (from < this.#addressEnd || !this.#mayFollow(from, BEFORE_NO_NAME)) return false
    let to = from + 1
    while (to < text.length && NAME_CHARACTER.test(text[to]!) && !this.#linkAt(to)) this.#noteAddress(to++)
    // `@ada@elsewhere.example` is an address, not a mention.
    if (to === from + 1 || text[to] === '@') return false
    return this.#add({ kind: 'name', from, to, token: text.slice(from + 1, to) }, to - from)
  }

  /** Underscores before a name are marks if no word stands before them: `_@ada_`. */
  #mayFollow(at: number, never: RegExp) {
    const marks = underscoresBefore(this.#text, at)
    const before = characterBefore(this.#text, at - marks)
    return marks <= 2 && !isWord(before) && !(marks > 0 ? BEFORE_NO_CHANNEL : never).test(before)
  }

  /** The longest name counts: `#design-review` is not design. */
  #channelHere() {
    const text = this.#text
    const from = this.#at
    if (from < this.#addressEnd || !this.#mayFollow(from, BEFORE_NO_CHANNEL)) return false
    const marks = underscoresBefore(text, from)
    let longest = 0
    for (const { length } of this.#channels.filter(name => isNameAt(text, from + 1, name, marks)))
      longest = Math.max(longest, length)
    if (longest === 0) return false
    return this.#add({ kind: 'channel', name: text.slice(from + 1, from + 1 + longest) }, longest + 1)
  }

  #noteAddress(at: number) {
    if (at < this.#addressEnd || !matchAt(SCHEME_HERE, this.#text, at)) return
    if (at < this.#open.from || at > this.#open.to)
      this.#open = { from: at, to: matchAt(ADDRESS_END, this.#text, at)?.index ?? this.#text.length }
    this.#addressEnd = this.#open.to
  }

  #add(atom: Atom, length: number): true {
    this.#endPlain()
    this.#found.push(atom)
    this.#at += length
    this.#plainFrom = this.#at
    return true
  }

  #endPlain() {
    if (this.#plainFrom < this.#at) this.#found.push({ kind: 'text', from: this.#plainFrom, to: this.#at })
  }
}

/** True if the character would begin an item or a quote without the backslash at `at`. */
function isListMark(text: string, at: number, next: string) {
  if (!ESCAPED_FIRST.test(next)) return false
  const from = Math.max(0, at - 14)
  const line = text.slice(from, at)
  const before = line.slice(line.lastIndexOf('\n') + 1)
  if (from > 0 && before === line) return false
  return (/[.)]/.test(next) ? /^[ \t]*\d{1,9}$/ : /^[ \t]*$/).test(before)
}

/** True if the name is at an index, in any case, and ends there. A dash at the end of a clause does not continue it. */
function isNameAt(text: string, at: number, name: string, marks: number) {
  if (text.slice(at, at + name.length).toLowerCase() !== name.toLowerCase()) return false
  const after = /^[-_]*/.exec(text.slice(at + name.length, at + name.length + 32))![0]
  const isClosed = marks > 0 && after === '_'.repeat(marks)
  return !isWord(characterAt(text, at + name.length + after.length)) && (isClosed || !after.includes('_'))
}

function underscoresBefore(text: string, at: number) {
  let from = at
  while (text[from - 1] === '_') from--
  return at - from
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** By index of each opening `[` or `(`: that of its closing one on the same line. Those after a backslash do not count. */
function pairsIn(text: string): Map<number, number> {
  const pairs = new Map<number, number>()
  let square: number[] = []
  let round: number[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '\n') {
      square = []
      round = []
    } else if (char === '[') square.push(at)
    else if (char === '(') round.push(at)
    else if (char === ']' || char === ')') {
      const opened = (char === ']' ? square : round).pop()
      if (opened !== undefined) pairs.set(opened, at)
    }
  }
  return pairs
}

/** Start of each run of `char`, by length: a code span ends with as many backticks as it began with. */
function runsOf(text: string, char: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (let at = text.indexOf(char); at >= 0; ) {
    const length = runLength(text, at, char)
    const starts = runs.get(length)
    if (starts) starts.push(at)
    else runs.set(length, [at])
    at = text.indexOf(char, at + length)
  }
  // Reversed, so that passed runs can be popped.
  for (const starts of runs.values()) starts.reverse()
  return runs
}

function nextRun(runs: Map<number, number[]>, length: number, after: number): number | undefined {
  const starts = runs.get(length) ?? []
  while (starts.length > 0 && starts.at(-1)! <= after) starts.pop()
  return starts.at(-1)
}

/** The code point at an index; a space beyond the end. */
export function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ' '
}

export function characterBefore(text: string, at: number): string {
  if (at === 0) return ' '
  const isLow = at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00
  return characterAt(text, isLow ? at - 2 : at - 1)
}

const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
const TAIL = /[.,;:!?'*_~”’»…،؛؟।]/

/** Strips trailing punctuation; a closing bracket stays only if the address contains its opening one. */
function withoutTail(url: string): string {
  const unopened = new Map(
    Object.entries(OPENING).map(([close, open]) => [close, count(url, close) - count(url, open)]),
  )
  let end = url.length
  for (; end > 0; end--) {
    const char = url[end - 1]!
    if (TAIL.test(char)) continue
    const more = unopened.get(char) ?? 0
    if (more <= 0) break
    unopened.set(char, more - 1)
  }
  return url.slice(0, end)
}

function count(text: string, char: string) {
  return text.split(char).length - 1
}

/** True for a letter, digit or combining mark of a script that has spaces between words. */
export function isWord(character: string) {
  return /^[\p{L}\p{M}\p{N}]/u.test(character) && !UNSPACED.test(character)
}
