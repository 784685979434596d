import { type Block, type Inline, type Known, parseMarkup } from './markup.ts'

/** Texts of messages in one line: for quotes, lists and pop-ups. */

/** Between two items, rows or blocks of a text in one line. */
const BETWEEN: Inline = { kind: 'text', text: ' · ' }
const SPACE: Inline = { kind: 'text', text: ' ' }

/** The inline parts of all blocks in order. Items and rows stay apart by a point, lines by a space. */
export function oneLineOf(blocks: Block[]): Inline[] {
  return blocks.flatMap((block, at) => [
    ...(at === 0 ? [] : [separator(blocks[at - 1]!, block)]),
    ...partsOf(block),
  ])
}

const isParted = ({ kind }: Block) => kind === 'list' || kind === 'table'

const separator = (before: Block, after: Block) => (isParted(before) || isParted(after) ? BETWEEN : SPACE)

function partsOf(block: Block): Inline[] {
  switch (block.kind) {
    case 'code':
      return [{ kind: 'code', text: block.text }]
    case 'quote':
      return oneLineOf(block.children)
    case 'list':
      return joined(block.items.map(item => oneLineOf(item.children)))
    case 'table':
      return joined(block.rows.map(row => joined(row)))
    case 'paragraph':
      return block.children.map(node => (node.kind === 'break' ? SPACE : node))
  }
}

const joined = (parts: Inline[][]) => parts.flatMap((part, at) => (at === 0 ? part : [BETWEEN, ...part]))

/** The text without marks, for places that show no elements: pop-ups, titles, tests of emptiness. */
export function plainText(text: string, known: Known = { mentions: [], isEmoji: () => false }): string {
  return inlinesText(oneLineOf(parseMarkup(text, known)))
    .replace(/\s+/g, ' ')
    .trim()
}

function inlinesText(nodes: Inline[]): string {
  return nodes
    .map(node => {
      if ('children' in node) return inlinesText(node.children)
      if ('text' in node) return node.text
      if (node.kind === 'channel') return `#${node.name}`
      if (node.kind === 'emoji') return `:${node.name}:`
      return 'name' in node ? `@${node.name}` : ' '
    })
    .join('')
}
