import { expect } from 'chai'
import fc from 'fast-check'
import { EVERYONE, mentionBy, mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import { atomsOf } from '#shared/domain/text-atoms.ts'
import { blocksOf, textsIn } from '#shared/domain/text-blocks.ts'
import { type Block, type Inline, linksIn, parseMarkup } from './markup.ts'

const MEMBERS = ['ada', 'ada_b', 'Bob', 'bob-the-builder', 'z']

const PIECES = fc.constantFrom(
  ...[
    '@ada',
    '@bob',
    '@Ada_b',
    '@bob-the',
    '@everyone',
    '@everyone-',
    '@nobody',
    '@',
    'ada',
    '_',
    '-',
    '*',
    '~~',
  ],
  ...['`', '``', '```', '```ts\n', '\n```\n', '\n``` ', '> ', '- ', '1. ', '\n', '\n\n', '\r\n', ' ', '\t'],
  ...[
    'https://a.example/',
    'https://',
    'HTTP://b.example',
    'ftp://',
    'www.',
    'mailto:',
    'xhttps://',
    'h',
    'w',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](https://c.example)',
    '<',
    '>',
    '"',
    '.',
    ',',
    '/',
    ':',
    ':tada:',
    'é',
    '\u0301',
    '𐐀',
  ],
)
const TEXT = fc.array(PIECES, { minLength: 1, maxLength: 30 }).map(pieces => pieces.join(''))

/** The names shown as mentions, in order and as typed. */
function shownMentions(text: string, mentions: string[]): string[] {
  return nodesOf(parseMarkup(text, { mentions, isEmoji: name => name === 'tada' })).flatMap(node =>
    node.kind === 'mention' ? [node.name] : [],
  )
}

function nodesOf(blocks: Block[]): Inline[] {
  return blocks.flatMap(block => {
    if (block.kind === 'code') return []
    if (block.kind === 'quote') return nodesOf(block.children)
    if (block.kind === 'list') return block.items.flatMap(item => nodesOf(item.children))
    return (block.kind === 'table' ? block.rows.flat(2) : block.children).flatMap(withChildren)
  })
}

function withChildren(node: Inline): Inline[] {
  return 'children' in node ? [node, ...node.children.flatMap(withChildren)] : [node]
}

describe('markup and mentions', () => {
  it('find the same mentions in any text, each in its place', () => {
    const names = new Map(MEMBERS.map(name => [name.toLowerCase(), name]))
    const property = fc.property(TEXT, text => {
      const counted = mentionTokens(text).flatMap(token => {
        const mention = mentionBy(token, names)
        return mention ? [token.slice(0, mention.length)] : []
      })
      expect(shownMentions(text, [...MEMBERS, EVERYONE])).to.deep.equal(counted)
    })
    fc.assert(property, { numRuns: 5_000 })
  })

  it('show whom the server found mentioned, and nobody else', () => {
    const property = fc.property(TEXT, text => {
      const mentioned = mentionsIn(mentionTokens(text), MEMBERS) ?? []
      const shown = new Set(shownMentions(text, mentioned).map(name => name.toLowerCase()))
      expect([...shown].sort()).to.deep.equal(
        mentioned.map(name => name.replace('@', '').toLowerCase()).sort(),
      )
    })
    fc.assert(property, { numRuns: 5_000 })
  })

  it('agree about what is code or a link: nobody is mentioned there', () => {
    const property = fc.property(TEXT, fc.constantFrom('`', '``', '```\n'), TEXT, (before, ticks, inside) => {
      const tree = parseMarkup(`${before}\n\n${ticks}${inside}`, { mentions: MEMBERS, isEmoji: () => false })
      const plain = nodesOf(tree).map(node => (node.kind === 'text' ? node.text : ''))
      // Outside of code and links each mention has its own node; the text nodes contain every other `@`.
      const ats =
        plain.join('').split('@').length - 1 + nodesOf(tree).filter(({ kind }) => kind === 'mention').length
      expect(mentionTokens(`${before}\n\n${ticks}${inside}`).length).to.be.at.most(ats)
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  it('agree about the links', () => {
    const property = fc.property(TEXT, text => {
      const links = textsIn(blocksOf(text))
        .flatMap(part => atomsOf(part))
        .flatMap(atom => (atom.kind === 'link' && /^http/i.test(atom.href) ? [atom.href] : []))
      expect(linksIn(parseMarkup(text, { mentions: MEMBERS, isEmoji: () => false }))).to.deep.equal(links)
    })
    fc.assert(property, { numRuns: 2_000 })
  })
})
