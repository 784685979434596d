import { mentionBy } from '#shared/domain/mentions.ts'
import { atomsOf, characterAt, characterBefore, isWord } from '#shared/domain/text-atoms.ts'
import { type Alignment, blocksOf, runLength, type Block as SourceBlock } from '#shared/domain/text-blocks.ts'

/** Parses message text into a tree (interface 2.10). The tree becomes vnodes, never HTML. */

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; text: string }
  /** `name` as typed, `username` as registered, or `@everyone`. */
  | { kind: 'mention'; name: string; username: string }
  | { kind: 'group'; name: string }
  | { kind: 'channel'; name: string }
  | { kind: 'emoji'; name: string }
  | { kind: 'break' }

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; language: string; title: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; items: { number: number; children: Block[] }[] }
  | { kind: 'table'; aligned: Alignment[]; rows: Inline[][][] }

export interface Known {
  /** Names the server found mentioned, including `@everyone`. */
  mentions: string[]
  /** Handles of the groups that it found mentioned. */
  groups?: readonly string[]
  isEmoji: (name: string) => boolean
  /** Names of the channels that the reader can see. */
  channels?: readonly string[]
}

const DEEPEST_MARK = 8

export function parseMarkup(text: string, known: Known): Block[] {
  const names = new Map([...known.mentions, ...(known.groups ?? [])].map(name => [name.toLowerCase(), name]))
  const parsed = (block: SourceBlock): Block => {
    switch (block.kind) {
      case 'code':
        return block
      case 'quote':
        return { kind: 'quote', children: block.children.map(parsed) }
      case 'list':
        return {
          ...block,
          items: block.items.map(({ number, children }) => ({ number, children: children.map(parsed) })),
        }
      case 'table':
        return { ...block, rows: block.rows.map(row => row.map(cell => inlines(cell, known, names))) }
      case 'paragraph':
        return { kind: 'paragraph', children: inlines(block.text, known, names) }
    }
  }
  return blocksOf(text).map(parsed)
}

/** The web links outside code, in order: the first has a card. */
export function linksIn(found: Block[]): string[] {
  return found.flatMap(block => {
    if (block.kind === 'code') return []
    if (block.kind === 'quote') return linksIn(block.children)
    if (block.kind === 'list') return block.items.flatMap(item => linksIn(item.children))
    return linksAmong(block.kind === 'table' ? block.rows.flat(2) : block.children)
  })
}

function linksAmong(nodes: Inline[]): string[] {
  return nodes.flatMap(node => {
    if (node.kind === 'link' && /^http/i.test(node.href)) return [node.href]
    return 'children' in node ? linksAmong(node.children) : []
  })
}

const MARKS = { '*': 'strong', '**': 'strong', _: 'em', '~': 'strike', '~~': 'strike' } as const
type Mark = keyof typeof MARKS

function inlines(text: string, known: Known, names: ReadonlyMap<string, string>): Inline[] {
  const open = new Open()
  for (const atom of atomsOf(text, known.isEmoji, known.channels)) {
    if (atom.kind === 'text') addMarked(open, text, atom.from, atom.to)
    else if (atom.kind === 'name') {
      const mention = mentionBy(atom.token, names)
      const isKnown = mention && names.has(mention.name.toLowerCase())
      const end = isKnown ? atom.from + 1 + mention.length : atom.from
      if (isKnown) {
        const name = text.slice(atom.from + 1, end)
        const isGroup = known.groups?.includes(mention.name)
        open.add(
          isGroup
            ? { kind: 'group', name }
            : { kind: 'mention', name, username: names.get(mention.name.toLowerCase())! },
        )
      }
      addMarked(open, text, end, atom.to)
    } else if (atom.kind === 'escaped' || atom.kind === 'smiley') open.addText(atom.text)
    else open.add(atom)
  }
  return open.finish()
}

/** Adds characters of the text, in which marks open and close. */
function addMarked(open: Open, text: string, from: number, to: number) {
  let plainFrom = from
  let at = from
  while (at < to) {
    const char = text[at]!
    if (char !== '*' && char !== '_' && char !== '~') {
      at++
      continue
    }
    open.addText(text.slice(plainFrom, at))
    plainFrom = at
    const length = runLength(text, at, char)
    const mark = char.repeat(length)
    if (mark in MARKS) {
      const before = characterBefore(text, at)
      const after = characterAt(text, at + length)
      const canClose = !/\s/.test(before) && !isWord(after)
      const canOpen = !/\s/.test(after) && !isWord(before)
      const isMark = (canClose && open.close(mark as Mark)) || (canOpen && open.begin(mark as Mark))
      if (isMark) plainFrom += length
    }
    at += length
  }
  open.addText(text.slice(plainFrom, to))
}

/** Stack of open marks, innermost last. A mark that is never closed becomes text. */
class Open {
  #levels: { mark: Mark | undefined; nodes: Inline[] }[] = [{ mark: undefined, nodes: [] }]

  addText(text: string) {
    if (text !== '') this.add({ kind: 'text', text })
  }

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
