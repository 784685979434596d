/**
 * The grammar of message texts (decisions, Message text): blocks, and within them code, links, names and emoji. The
 * server finds mentions with it, and the client shows texts and chooses the link for the card. A single pass without
 * backtracking, so a hostile text costs no more than a friendly one.
 */

/** A block of a text; the texts inside still contain their atoms and marks. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: string[] }

/** A part of a paragraph or list item. Positions are in UTF-16 units. */
export type Atom =
  /** Plain characters and marks. */
  | { kind: 'text'; from: number; to: number }
  /** A possible mention: `@` and the token, which may be longer than the name. */
  | { kind: 'name'; from: number; to: number; token: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; text: string }
  | { kind: 'emoji'; name: string }
  /** `#` and the name of a channel, as written. */
  | { kind: 'channel'; name: string }
  | { kind: 'break' }

export const FENCE = /^```([A-Za-z0-9_+#.-]*)\s*$/
export const FENCE_END = /^```(?=\s|$)/
const QUOTE = /^>\s?/
const BULLET = /^\s{0,3}-\s+/
const NUMBER = /^\s{0,3}(\d{1,6})\.\s+/
const DEEPEST_QUOTE = 5

export function blocksOf(text: string): Block[] {
  return blocksIn(text.split(/\r\n|\r|\n/), 0)
}

function blocksIn(lines: string[], depth: number): Block[] {
  const found: Block[] = []
  let at = 0
  const addParagraph = (first: string) => {
    const others = takeWhile(lines, at + 1, line => !beginsBlock(line, depth))
    found.push({ kind: 'paragraph', text: [first, ...others].join('\n') })
    at += 1 + others.length
  }
  while (at < lines.length) {
    const line = lines[at]!
    const fence = FENCE.exec(line)
    if (fence) {
      const code = takeWhile(lines, at + 1, one => !FENCE_END.test(one))
      found.push({ kind: 'code', language: fence[1]!.toLowerCase(), text: code.join('\n') })
      // An unclosed fence extends to the end; text after a closing one begins a paragraph.
      at += 1 + code.length
      const rest = lines[at]?.slice(3).trimStart() ?? ''
      if (rest === '') at++
      else addParagraph(rest)
    } else if (QUOTE.test(line) && depth < DEEPEST_QUOTE) {
      const quoted = takeWhile(lines, at, one => QUOTE.test(one))
      const inside = quoted.map(one => one.replace(QUOTE, ''))
      found.push({ kind: 'quote', children: blocksIn(inside, depth + 1) })
      at += quoted.length
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const marker = BULLET.test(line) ? BULLET : NUMBER
      const listed = takeWhile(lines, at, one => marker.test(one))
      found.push({
        kind: 'list',
        ordered: marker === NUMBER,
        start: Number(NUMBER.exec(line)?.[1] ?? 1),
        items: listed.map(one => one.replace(marker, '')),
      })
      at += listed.length
    } else if (line.trim() === '') {
      at++
    } else {
      addParagraph(line)
    }
  }
  return found
}

function beginsBlock(line: string, depth: number) {
  if (line.trim() === '' || BULLET.test(line) || NUMBER.test(line) || FENCE.test(line)) return true
  return QUOTE.test(line) && depth < DEEPEST_QUOTE
}

function takeWhile(lines: string[], from: number, holds: (line: string) => boolean) {
  let to = from
  while (to < lines.length && holds(lines[to]!)) to++
  return lines.slice(from, to)
}

/** Returns the texts of all blocks that may contain atoms, in order. */
export function textsIn(blocks: Block[]): string[] {
  return blocks.flatMap(block => {
    if (block.kind === 'code') return []
    if (block.kind === 'quote') return textsIn(block.children)
    return block.kind === 'list' ? block.items : [block.text]
  })
}

const URL_HERE = /https?:\/\/[^\s<>"]{1,2000}/iy
/** Brackets within the address only in pairs, as in addresses of encyclopedias. */
const NAMED_LINK =
  /\[([^[\]\n]{1,300})\]\(((?:https?:\/\/|mailto:)(?:[^\s()<>"]|\([^\s()<>"]{0,200}\)){1,2000})\)/iy
/** The beginning of an address that may not be a link; it extends to white space, a quote or an angle bracket. */
const SCHEME_HERE = /(?:https?|ftp|wss?|file):\/\/|mailto:|www\./iy
const ADDRESS_END = /[\s<>"]/g
const NAME_CHARACTER = /[A-Za-z0-9_-]/
const BEFORE_NO_NAME = /[_@/.+-]/
const BEFORE_NO_CHANNEL = /[_@/.+#&-]/
const EMOJI_HERE = /:([a-z0-9_+-]{2,32}):/y

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
  readonly #ticks: Map<number, number[]>
  readonly #found: Atom[] = []
  #at = 0
  /** Start of the plain characters before `#at`. */
  #plainFrom = 0
  /** End of the address around `#at`, if it is in one. */
  #addressEnd = 0

  constructor(text: string, isEmoji: (name: string) => boolean, channels: readonly string[]) {
    this.#text = text
    this.#channels = channels
    this.#isEmoji = isEmoji
    this.#ticks = runsOf(text, '`')
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
        const href = linkAt(text, at)
        return href ? this.#add({ kind: 'link', href, text: href }, href.length) : false
      }
      case '[': {
        const link = matchAt(NAMED_LINK, text, at)
        if (!link || !URL.canParse(link[2]!)) return false
        return this.#add({ kind: 'link', href: link[2]!, text: link[1]! }, link[0].length)
      }
      case '@':
        return this.#nameHere()
      case '#':
        return this.#channelHere()
      case ':': {
        const emoji = isWord(characterBefore(text, at)) ? null : matchAt(EMOJI_HERE, text, at)
        if (!emoji || !this.#isEmoji(emoji[1]!)) return false
        return this.#add({ kind: 'emoji', name: emoji[1]! }, emoji[0].length)
      }
      default:
        return false
    }
  }

  #codeHere() {
    const at = this.#at
    const run = runLength(this.#text, at, '`')
    const end = nextRun(this.#ticks, run, at)
    if (end === undefined) {
      this.#at += run
      return true
    }
    this.#addressEnd = 0
    return this.#add({ kind: 'code', text: this.#text.slice(at + run, end) }, end + run - at)
  }

  #nameHere() {
    const text = this.#text
    const from = this.#at
    const before = characterBefore(text, from)
    if (from < this.#addressEnd || isWord(before) || BEFORE_NO_NAME.test(before)) return false
    let to = from + 1
    while (to < text.length && NAME_CHARACTER.test(text[to]!) && !linkAt(text, to)) this.#noteAddress(to++)
    // `@ada@elsewhere.example` is an address, not a mention.
    if (to === from + 1 || text[to] === '@') return false
    return this.#add({ kind: 'name', from, to, token: text.slice(from + 1, to) }, to - from)
  }

  /** The longest name counts: `#design-review` is not design. */
  #channelHere() {
    const text = this.#text
    const from = this.#at
    const before = characterBefore(text, from)
    if (from < this.#addressEnd || isWord(before) || BEFORE_NO_CHANNEL.test(before)) return false
    let longest = 0
    for (const { length } of this.#channels.filter(name => isNameAt(text, from + 1, name)))
      longest = Math.max(longest, length)
    if (longest === 0) return false
    return this.#add({ kind: 'channel', name: text.slice(from + 1, from + 1 + longest) }, longest + 1)
  }

  #noteAddress(at: number) {
    if (at < this.#addressEnd || !matchAt(SCHEME_HERE, this.#text, at)) return
    ADDRESS_END.lastIndex = at
    this.#addressEnd = ADDRESS_END.exec(this.#text)?.index ?? this.#text.length
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

/** True if the name is at an index, in any case, and ends there. A dash at the end of a clause does not continue it. */
function isNameAt(text: string, at: number, name: string) {
  if (text.slice(at, at + name.length).toLowerCase() !== name.toLowerCase()) return false
  const after = /^[-_]*/.exec(text.slice(at + name.length, at + name.length + 32))![0]
  return !isWord(characterAt(text, at + name.length + after.length)) && !after.includes('_')
}

/** Returns the complete web address that begins at an index. */
function linkAt(text: string, at: number): string | undefined {
  const first = text[at]
  if ((first !== 'h' && first !== 'H') || isWord(characterBefore(text, at))) return undefined
  const href = withoutTail(matchAt(URL_HERE, text, at)?.[0] ?? '')
  return URL.canParse(href) ? href : undefined
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export function runLength(text: string, from: number, char: string) {
  let to = from
  while (text[to] === char) to++
  return to - from
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

/** Strips trailing punctuation; a closing bracket stays only if the address contains its opening one. */
function withoutTail(url: string): string {
  let unopened = count(url, ')') - count(url, '(')
  let end = url.length
  for (; end > 0; end--) {
    const char = url[end - 1]!
    if (/[.,;:!?'*_~\]}’”»…]/.test(char)) continue
    if (char !== ')' || unopened <= 0) break
    unopened--
  }
  return url.slice(0, end)
}

function count(text: string, char: string) {
  return text.split(char).length - 1
}

/** True for a letter, a digit or a combining mark, which belongs to the word. */
export function isWord(character: string) {
  return /^[\p{L}\p{M}\p{N}]/u.test(character)
}
