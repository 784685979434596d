/**
 * Blocks of a message text (interface 2.10): paragraphs, fenced code, quotes, lists and tables. The server finds
 * mentions with it and the client draws texts with it. Containers nest at most `DEEPEST` deep and each level is one pass
 * over its lines, so the worst text costs `DEEPEST` times an ordinary one.
 */

/** A block; its texts still contain atoms (`text-atoms.ts`) and marks. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** `title`: the rest of the info string after the language. */
  | { kind: 'code'; language: string; title: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; items: ListItem[] }
  /** The first row is the head. A row may have fewer cells than the head, never more. */
  | { kind: 'table'; aligned: Alignment[]; rows: string[][] }

export interface ListItem {
  /** As typed; 0 in a list of points. */
  number: number
  children: Block[]
}

export type Alignment = 'start' | 'center' | 'end'

const QUOTE = /^ {0,3}>[ \t]?/
const ITEM = /^([ \t]*)(?:([-*•]|\+(?=\s+[^\s\d]))|(\d{1,9})[.)])[ \t]+(.*)$/
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/
const MARKERS = /^(?:[ \t]*(?:>|[-*•+]|\d{1,9}[.)])[ \t]+)*/
/** A line that begins no block, unless a table follows. */
const WORDS = /^[^\s>`~*•+\-\d][^`]*$/
const LANGUAGE = /^[A-Za-z0-9_+#.-]*$/
const ALIGNMENT = /^:?-+:?$/
/** A line that ends with an opening fence, as people of Slack type it: `run this: ```. */
const LATE_FENCE = /^([^`]*[^`\s])[ \t]*(`{3,})$/
const DEEPEST = 6
/** Indentation in columns that makes an item a child, and the most before the first item of a list. */
const CHILD_INDENT = 2
const MOST_INDENT = 3

export function blocksOf(text: string): Block[] {
  return blocksIn(linesOf(text), placeAt(0, false))
}

const linesOf = (text: string) => text.split(/\r\n|\r|\n/)

interface Place {
  depth: number
  /** Inside an item the indentation was removed as far as the item has it; the rest may be of any width. */
  anyIndent: boolean
  /** By character of a fence: a run of this length or longer has no closing line from here on. */
  unclosed: Map<string, number>
}

const placeAt = (depth: number, anyIndent: boolean): Place => ({ depth, anyIndent, unclosed: new Map() })

/** Reads one block at `at` and returns it with the index of the line after it. */
type Reader = (lines: string[], at: number, place: Place) => { block?: Block; next: number } | undefined

function blocksIn(lines: string[], place: Place): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const { block, next } = blockAt(lines, at, place) ?? paragraphAt(lines, at, place)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

const READERS: Reader[] = [blankAt, codeAt, quoteAt, listAt, tableAt]

function blockAt(lines: string[], at: number, place: Place) {
  if (WORDS.test(lines[at]!)) return tableAt(lines, at)
  for (const read of READERS) {
    const result = read(lines, at, place)
    if (result) return result
  }
  return undefined
}

const isBlank = (line: string) => line.trim() === ''

function blankAt(lines: string[], at: number) {
  return isBlank(lines[at]!) ? { next: at + 1 } : undefined
}

function paragraphAt(lines: string[], at: number, place: Place) {
  let next = at
  while (next < lines.length) {
    const late = lateFence(lines[next]!)
    if (late && closingOf(lines, next + 1, { run: late[2]!, indent: 0 }, place)) {
      const text = [...lines.slice(at, next), late[1]!].join('\n')
      // The fence is read as a line of its own.
      lines[next] = late[2]!
      return { block: { kind: 'paragraph' as const, text }, next }
    }
    next++
    if (next < lines.length && beginsBlock(lines, next, place)) break
  }
  return { block: { kind: 'paragraph' as const, text: lines.slice(at, next).join('\n') }, next }
}

const lateFence = (line: string) => (line.endsWith('```') ? LATE_FENCE.exec(line) : null)

function beginsBlock(lines: string[], at: number, place: Place) {
  const line = lines[at]!
  if (WORDS.test(line)) return headAt(lines, at) !== undefined
  if (isBlank(line) || fenceAt(lines, at, place) || itemAt(line, place)) return true
  return (QUOTE.test(line) && place.depth < DEEPEST) || headAt(lines, at) !== undefined
}

type Opening = Pick<Fence, 'run' | 'indent'>

interface Fence {
  run: string
  /** Columns before the run. */
  indent: number
  info: string
}

function fenceAt(lines: string[], at: number, place: Place): Fence | undefined {
  const [, indent, run, rest] = FENCE.exec(lines[at]!) ?? []
  if (run === undefined) return undefined
  const before = columns(indent!)
  if (!place.anyIndent && before > MOST_INDENT) return undefined
  const info = rest!.trim()
  // A run of backticks that comes back on its line is a code span.
  if (run[0] === '`' && info.includes('`')) return undefined
  // Words behind an unclosed fence are words.
  if (/\s/.test(info) && !closingOf(lines, at + 1, { run, indent: before }, place)) return undefined
  return { run, indent: before, info }
}

interface Closing {
  at: number
  /** Code stands before the run, as people of Slack type it. */
  late: boolean
}

/** The closing line of a fence from `from` on. */
function closingOf(lines: string[], from: number, fence: Opening, { unclosed }: Place): Closing | undefined {
  const { run } = fence
  const char = run[0]!
  if (run.length >= (unclosed.get(char) ?? Number.POSITIVE_INFINITY)) return undefined
  for (let at = from; at < lines.length; at++) {
    if (closes(lines[at]!, fence)) return { at, late: false }
    if (endsWithRun(lines[at]!, run)) return { at, late: true }
  }
  unclosed.set(char, run.length)
  return undefined
}

/** True for a run of at least the same length; text after a space begins a paragraph. */
function closes(line: string, { run, indent }: Opening) {
  const inside = line.trimStart()
  const length = runLength(inside, 0, run[0]!)
  if (length < run.length || indentOf(line) > indent + MOST_INDENT) return false
  const after = inside[length]
  return after === undefined || after === ' ' || after === '\t'
}

function endsWithRun(line: string, run: string) {
  if (run[0] !== '`') return false
  const inside = line.trim()
  return (
    inside.length > run.length && inside.endsWith(run) && inside.indexOf(run) === inside.length - run.length
  )
}

const ends = (line: string, fence: Opening) => closes(line, fence) || endsWithRun(line, fence.run)

function codeAt(lines: string[], at: number, place: Place) {
  const fence = fenceAt(lines, at, place)
  if (!fence) return undefined
  const { run, info } = fence
  const closing = closingOf(lines, at + 1, fence, place)
  const end = closing?.at ?? lines.length
  const code = lines.slice(at + 1, end).map(line => withoutColumns(line, fence.indent))
  const [language = '', ...title] = info.split(/\s+/)
  const known = LANGUAGE.test(language)
  const block: Block = {
    kind: 'code',
    language: known ? language.toLowerCase() : '',
    title: known ? title.join(' ') : info,
    text: code.join('\n'),
  }
  if (closing?.late) {
    const last = lines[end]!.trimEnd().slice(0, -run.length)
    block.text = [...(info === '' ? [] : [info]), ...code, last].join('\n')
    block.language = ''
    block.title = ''
  }
  const rest = closing && !closing.late ? textAfter(lines[end]!, run) : ''
  if (rest === '') return { block, next: end + 1 }
  lines[end] = rest
  return { block, next: end }
}

const textAfter = (line: string, run: string) =>
  line
    .trimStart()
    .slice(runLength(line.trimStart(), 0, run[0]!))
    .trim()

function quoteAt(lines: string[], at: number, place: Place) {
  if (place.depth >= DEEPEST || !QUOTE.test(lines[at]!)) return undefined
  let next = at
  while (next < lines.length && QUOTE.test(lines[next]!)) next++
  const inside = lines.slice(at, next).map(line => line.replace(QUOTE, ''))
  const children = blocksIn(inside, placeAt(place.depth + 1, false))
  return { block: { kind: 'quote' as const, children }, next }
}

interface Item {
  indent: number
  ordered: boolean
  number: number
  /** Columns before the text of the item. */
  width: number
  text: string
}

function itemAt(line: string, { depth, anyIndent }: Place): Item | undefined {
  if (depth >= DEEPEST || RULE.test(line)) return undefined
  const [, indent, , number, text] = ITEM.exec(line) ?? []
  if (text === undefined) return undefined
  const before = columns(indent!)
  if (!anyIndent && before > MOST_INDENT) return undefined
  return {
    indent: before,
    ordered: number !== undefined,
    number: Number(number ?? 0),
    width: before + (number === undefined ? 2 : number.length + 2),
    text,
  }
}

function listAt(lines: string[], from: number, place: Place) {
  const first = itemAt(lines[from]!, place)
  if (!first) return undefined
  const items: ListItem[] = []
  let at = from
  for (let item: Item | undefined = first; item?.ordered === first.ordered; ) {
    const end = endOfItem(lines, at, item)
    items.push({ number: item.number, children: childrenOf(item, lines.slice(at + 1, end), place) })
    at = end
    const next = afterBlanks(lines, at)
    item = next < lines.length ? itemAt(lines[next]!, place) : undefined
    if (item?.ordered === first.ordered) at = next
  }
  return { block: { kind: 'list' as const, ordered: first.ordered, items }, next: at }
}

/** Lines below an item lose the indentation of the first of them, at most as far as the text of the item stands. */
function childrenOf(item: Item, below: string[], { depth }: Place): Block[] {
  if (below.length === 0 && WORDS.test(item.text)) return [{ kind: 'paragraph', text: item.text }]
  const first = below.find(line => !isBlank(line))
  const indent = Math.min(item.width, first === undefined ? 0 : indentOf(first))
  const inside = below.map(line => withoutColumns(line, indent))
  return blocksIn([item.text, ...inside], placeAt(depth + 1, true))
}

/** The index of the line after an item: its children are indented, its code lasts to the closing fence. */
function endOfItem(lines: string[], at: number, item: Item): number {
  let fence = openingOf(item.text, item.width)
  let next = at + 1
  while (next < lines.length) {
    const line = lines[next]!
    if (fence) {
      if (ends(line, fence)) fence = undefined
      next++
    } else if (isBlank(line)) {
      const after = afterBlanks(lines, next)
      if (after === lines.length || !isChild(lines[after]!, item)) return next
      next = after
    } else if (isChild(line, item)) {
      fence = openingOf(line, 0)
      next++
    } else return next
  }
  return next
}

/** The fence that a line opens, also behind the marks of items and quotes. */
function openingOf(line: string, width: number): Opening | undefined {
  const inside = line.replace(MARKERS, '')
  const [, indent, run, rest] = FENCE.exec(inside) ?? []
  if (!run) return undefined
  const isSpan = run[0] === '`' && rest!.includes('`')
  return isSpan ? undefined : { run, indent: width + columns(indent!) + line.length - inside.length }
}

const isChild = (line: string, item: Item) => indentOf(line) >= item.indent + CHILD_INDENT

function afterBlanks(lines: string[], from: number) {
  let at = from
  while (at < lines.length && isBlank(lines[at]!)) at++
  return at
}

/** The alignments of a table whose head is at `at`: the next line has a dash for each of its cells. */
function headAt(lines: string[], at: number): Alignment[] | undefined {
  const rule = lines[at + 1]
  if (!rule?.includes('|') || !lines[at]!.includes('|') || !/^[\s|:-]+$/.test(rule)) return undefined
  const dashes = cellsOf(rule)
  if (!dashes.every(cell => ALIGNMENT.test(cell))) return undefined
  if (cellsOf(lines[at]!).length !== dashes.length) return undefined
  return dashes.map(cell => {
    if (!cell.endsWith(':')) return 'start'
    return cell.startsWith(':') ? 'center' : 'end'
  })
}

function tableAt(lines: string[], at: number) {
  const aligned = headAt(lines, at)
  if (!aligned) return undefined
  const rows = [cellsOf(lines[at]!)]
  let next = at + 2
  for (; next < lines.length && lines[next]!.includes('|') && !isBlank(lines[next]!); next++) {
    const cells = cellsOf(lines[next]!)
    const over = cells.splice(aligned.length - 1)
    rows.push([...cells, ...(over.length > 0 ? [over.join(' | ')] : [])])
  }
  return { block: { kind: 'table' as const, aligned, rows }, next }
}

/** The cells of a row; `\|` is a character of its cell. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
}

/** Returns the texts of all blocks that may contain atoms, in order. */
export function textsIn(blocks: Block[]): string[] {
  return blocks.flatMap(block => {
    if (block.kind === 'code') return []
    if (block.kind === 'quote') return textsIn(block.children)
    if (block.kind === 'list') return block.items.flatMap(item => textsIn(item.children))
    return block.kind === 'table' ? block.rows.flat() : [block.text]
  })
}

/** True if a text ends inside a code fence. */
export function endsInFence(text: string): boolean {
  let fence: Opening | undefined
  for (const line of linesOf(text)) {
    if (fence) {
      if (ends(line, fence)) fence = undefined
    } else {
      const late = lateFence(line)?.[2]
      fence = openingOf(line, 0) ?? (late ? { run: late, indent: 0 } : undefined)
    }
  }
  return fence !== undefined
}

export function runLength(text: string, from: number, char: string) {
  let to = from
  while (text[to] === char) to++
  return to - from
}

const indentOf = (line: string) => columns(/^[ \t]*/.exec(line)![0])

/** Width of white space: a tab ends at the next multiple of four. */
function columns(space: string) {
  let width = 0
  for (const char of space) width += char === '\t' ? 4 - (width % 4) : 1
  return width
}

/** The line without at most `most` columns of white space. */
function withoutColumns(line: string, most: number) {
  let width = 0
  let at = 0
  while (width < most && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? 4 - (width % 4) : 1
    at++
  }
  return ' '.repeat(Math.max(0, width - most)) + line.slice(at)
}
