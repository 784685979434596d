/**
 * Parses message text into a tree (decisions, Message text). The tree becomes vnodes, never HTML.
 * A single pass without backtracking, so a hostile text costs no more than a friendly one.
 */

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; text: string }
  | { kind: 'mention'; name: string }
  | { kind: 'emoji'; name: string }
  | { kind: 'break' }

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }

export interface Known {
  /** Names the server found mentioned, including `@everyone`. */
  mentions: string[]
  isEmoji: (name: string) => boolean
}

const FENCE = /^```([A-Za-z0-9_+#.-]*)\s*$/
const FENCE_END = /^```\s*$/
const QUOTE = /^>\s?/
const BULLET = /^\s{0,3}-\s+/
const NUMBER = /^\s{0,3}(\d{1,6})\.\s+/
const DEEPEST_QUOTE = 5
const DEEPEST_MARK = 8

export function parseMarkup(text: string, known: Known): Block[] {
  return blocks(text.split(/\r\n|\r|\n/), known, 0)
}

function blocks(lines: string[], known: Known, depth: number): Block[] {
  const found: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    const fence = FENCE.exec(line)
    if (fence) {
      // An unclosed fence extends to the end, as it does for mentions.
      const end = at + 1 + takeWhile(lines, at + 1, one => !FENCE_END.test(one)).length
      found.push({
        kind: 'code',
        language: fence[1]!.toLowerCase(),
        text: lines.slice(at + 1, end).join('\n'),
      })
      at = end + 1
    } else if (QUOTE.test(line) && depth < DEEPEST_QUOTE) {
      const quoted = takeWhile(lines, at, one => QUOTE.test(one))
      found.push({
        kind: 'quote',
        children: blocks(
          quoted.map(one => one.replace(QUOTE, '')),
          known,
          depth + 1,
        ),
      })
      at += quoted.length
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const marker = BULLET.test(line) ? BULLET : NUMBER
      const listed = takeWhile(lines, at, one => marker.test(one))
      const items = listed.map(one => inlines(one.replace(marker, ''), known))
      found.push({
        kind: 'list',
        ordered: marker === NUMBER,
        start: Number(NUMBER.exec(line)?.[1] ?? 1),
        items,
      })
      at += listed.length
    } else if (line.trim() === '') {
      at++
    } else {
      const plain = [line, ...takeWhile(lines, at + 1, one => !beginsBlock(one, depth))]
      found.push({ kind: 'paragraph', children: inlines(plain.join('\n'), known) })
      at += plain.length
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

/** The address for the card: the first web link outside code. */
export function firstLink(found: Block[]): string | undefined {
  for (const block of found) {
    if (block.kind === 'code') continue
    const link =
      block.kind === 'quote'
        ? firstLink(block.children)
        : firstLinkIn(block.kind === 'list' ? block.items.flat() : block.children)
    if (link) return link
  }
  return undefined
}

function firstLinkIn(nodes: Inline[]): string | undefined {
  for (const node of nodes) {
    if (node.kind === 'link' && /^http/i.test(node.href)) return node.href
    const inside = 'children' in node ? firstLinkIn(node.children) : undefined
    if (inside) return inside
  }
  return undefined
}

/** The text without marks, on one line: for quotes and lists. */
export function plainText(text: string): string {
  return blocksText(parseMarkup(text, { mentions: [], isEmoji: () => false }))
    .replace(/\s+/g, ' ')
    .trim()
}

function blocksText(found: Block[]): string {
  return found
    .map(block => {
      if (block.kind === 'code') return block.text
      if (block.kind === 'quote') return blocksText(block.children)
      return block.kind === 'list' ? block.items.map(inlinesText).join(' ') : inlinesText(block.children)
    })
    .join(' ')
}

function inlinesText(nodes: Inline[]): string {
  return nodes
    .map(node => {
      if ('children' in node) return inlinesText(node.children)
      if ('text' in node) return node.text
      return node.kind === 'mention' ? `@${node.name}` : ' '
    })
    .join('')
}

/** Combining marks belong to the word. */
const WORD = /^[\p{L}\p{M}\p{N}]/u
const URL_HERE = /https?:\/\/[^\s<>"]{1,2000}/iy
/** Brackets within the address only in pairs, as in addresses of encyclopedias. */
const NAMED_LINK =
  /\[([^[\]\n]{1,300})\]\(((?:https?:\/\/|mailto:)(?:[^\s()<>"]|\([^\s()<>"]{0,200}\)){1,2000})\)/iy
const NAME_HERE = /[A-Za-z0-9_-]{1,32}/y
const EMOJI_HERE = /:([a-z0-9_]{2,32}):/y
const MARKS = { '*': 'strong', '**': 'strong', _: 'em', '~': 'strike', '~~': 'strike' } as const
type Mark = keyof typeof MARKS

export function inlines(text: string, known: Known): Inline[] {
  const names = new Map(
    known.mentions.map(name => [name.replace(/^@/, '').toLowerCase(), name.replace(/^@/, '')]),
  )
  const open = new Open()
  const runs = runsOf(text, '`')
  let plain = ''
  let at = 0
  const flush = () => {
    if (plain !== '') open.add({ kind: 'text', text: plain })
    plain = ''
  }
  const atom = (node: Inline, length: number) => {
    flush()
    open.add(node)
    at += length
  }

  while (at < text.length) {
    const char = text[at]!
    const before = characterBefore(text, at)
    if (char === '\n') {
      atom({ kind: 'break' }, 1)
      continue
    }
    if (char === '`') {
      const run = runLength(text, at, '`')
      const end = nextRun(runs, run, at)
      if (end !== undefined) {
        atom({ kind: 'code', text: text.slice(at + run, end) }, end + run - at)
      } else {
        plain += '`'.repeat(run)
        at += run
      }
      continue
    }
    if ((char === 'h' || char === 'H') && !WORD.test(before)) {
      const href = withoutTail(matchAt(URL_HERE, text, at)?.[0] ?? '')
      if (URL.canParse(href)) {
        atom({ kind: 'link', href, text: href }, href.length)
        continue
      }
    }
    if (char === '[') {
      const link = matchAt(NAMED_LINK, text, at)
      if (link && URL.canParse(link[2]!)) {
        atom({ kind: 'link', href: link[2]!, text: link[1]! }, link[0].length)
        continue
      }
    }
    if (char === '@' && names.size > 0 && !WORD.test(before) && !/[_@/.+-]/.test(before)) {
      const token = matchAt(NAME_HERE, text, at + 1)?.[0] ?? ''
      const name = longestName(token, names)
      // `@ada@elsewhere.example` is an address, not a mention.
      if (name && text[at + 1 + token.length] !== '@') {
        atom({ kind: 'mention', name }, name.length + 1)
        continue
      }
    }
    if (char === ':' && !WORD.test(before)) {
      const emoji = matchAt(EMOJI_HERE, text, at)
      if (emoji && known.isEmoji(emoji[1]!)) {
        atom({ kind: 'emoji', name: emoji[1]! }, emoji[0].length)
        continue
      }
    }
    if (char === '*' || char === '_' || char === '~') {
      const run = runLength(text, at, char)
      const mark = char.repeat(run)
      const after = characterAt(text, at + run)
      if (mark in MARKS) {
        flush()
        const canClose = !/\s/.test(before) && !WORD.test(after)
        const canOpen = !/\s/.test(after) && !WORD.test(before)
        if (canClose && open.close(mark as Mark)) {
          at += run
          continue
        }
        if (canOpen && open.begin(mark as Mark)) {
          at += run
          continue
        }
      }
      plain += mark
      at += run
      continue
    }
    plain += char
    at++
  }
  flush()
  return open.finish()
}

/** Stack of open marks, innermost last. A mark that is never closed becomes text. */
class Open {
  #levels: { mark: Mark | undefined; nodes: Inline[] }[] = [{ mark: undefined, nodes: [] }]

  add(node: Inline) {
    const nodes = this.#levels.at(-1)!.nodes
    const last = nodes.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      nodes[nodes.length - 1] = { kind: 'text', text: last.text + node.text }
    else nodes.push(node)
  }

  begin(mark: Mark): boolean {
    if (this.#levels.length > DEEPEST_MARK) return false
    this.#levels.push({ mark, nodes: [] })
    return true
  }

  close(mark: Mark): boolean {
    const at = this.#levels.findLastIndex(level => level.mark === mark)
    if (at < 1 || (at === this.#levels.length - 1 && this.#levels[at]!.nodes.length === 0)) return false
    while (this.#levels.length > at + 1) this.#fold()
    const { nodes } = this.#levels.pop()!
    this.add({ kind: MARKS[mark], children: nodes })
    return true
  }

  finish(): Inline[] {
    while (this.#levels.length > 1) this.#fold()
    return this.#levels[0]!.nodes
  }

  #fold() {
    const { mark, nodes } = this.#levels.pop()!
    this.add({ kind: 'text', text: mark! })
    for (const node of nodes) this.add(node)
  }
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function runLength(text: string, from: number, char: string) {
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
function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ' '
}

function characterBefore(text: string, at: number): string {
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

function longestName(token: string, names: Map<string, string>): string | undefined {
  for (let length = token.length; length > 0; length--) {
    // `@adam` is not ada: no letter or digit may follow a name.
    if (length < token.length && !/[-_]/.test(token[length]!)) continue
    if (names.has(token.slice(0, length).toLowerCase())) return token.slice(0, length)
  }
  return undefined
}
