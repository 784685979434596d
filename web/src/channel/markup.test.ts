import { expect } from 'chai'
import { type Block, type Inline, parseMarkup, plainText } from './markup.ts'

const known = { mentions: ['ada', 'Bob-2', '@everyone'], isEmoji: (name: string) => name === 'tada' }

/** The tree as a line of text, so that a test can be read. */
function line(text: string): string {
  return parseMarkup(text, known).map(block).join(' | ')
}

function block(one: Block): string {
  if (one.kind === 'paragraph') return all(one.children)
  if (one.kind === 'code') return `fence ${one.language} [${one.text}]`
  if (one.kind === 'quote') return `quote (${one.children.map(block).join(' | ')})`
  return `${one.ordered ? `list ${one.start}` : 'list'} (${one.items.map(all).join(', ')})`
}

function all(nodes: Inline[]): string {
  return nodes.map(node).join('')
}

function node(one: Inline): string {
  if (one.kind === 'text') return one.text
  if (one.kind === 'break') return '⏎'
  if (one.kind === 'code') return `code(${one.text})`
  if (one.kind === 'link') return `link(${one.text}→${one.href})`
  if (one.kind === 'mention') return `at(${one.name})`
  if (one.kind === 'emoji') return `emoji(${one.name})`
  return `${one.kind}(${all(one.children)})`
}

describe('markup', () => {
  it('knows bold, italic and strike', () => {
    expect(line('*a* **b** _c_ ~d~ ~~e~~')).to.equal('strong(a) strong(b) em(c) strike(d) strike(e)')
    expect(line('*a _b_ c*')).to.equal('strong(a em(b) c)')
  })

  it('does nothing inside words, beside spaces, or without an end', () => {
    expect(line('snake_case_name 2*3*4 a~b~c')).to.equal('snake_case_name 2*3*4 a~b~c')
    expect(line('2 * 3 * 4')).to.equal('2 * 3 * 4')
    expect(line('*never closed _nor this')).to.equal('*never closed _nor this')
    expect(line('*a _b* c_')).to.equal('strong(a _b) c_')
    expect(line('**** __ **')).to.equal('**** __ **')
  })

  it('leaves code alone', () => {
    expect(line('`*a* @ada https://x.example`')).to.equal('code(*a* @ada https://x.example)')
    expect(line('``a ` b``')).to.equal('code(a ` b)')
    expect(line('a ` b')).to.equal('a ` b')
    expect(line('x\n```ts\nlet *a* = 1\n\n> b\n```\ny')).to.equal('x | fence ts [let *a* = 1\n\n> b] | y')
    expect(line('```\nto the end')).to.equal('fence  [to the end]')
  })

  it('knows quotes and lists', () => {
    expect(line('> a\n> *b*\nc')).to.equal('quote (a⏎strong(b)) | c')
    expect(line('- a\n- b\n\n3. c\n4. d')).to.equal('list (a, b) | list 3 (c, d)')
    expect(line('-a\n1.b')).to.equal('-a⏎1.b')
  })

  it('finds links, without what follows them', () => {
    expect(line('see https://a.example/x.')).to.equal('see link(https://a.example/x→https://a.example/x).')
    expect(line('(https://a.example/x_(y))')).to.equal(
      '(link(https://a.example/x_(y)→https://a.example/x_(y)))',
    )
    expect(line('*https://a.example/*')).to.equal('strong(link(https://a.example/→https://a.example/))')
    expect(line('[the page](https://a.example) [me](mailto:a@b.example)')).to.equal(
      'link(the page→https://a.example) link(me→mailto:a@b.example)',
    )
  })

  it('never makes a link of anything but http, https and mailto', () => {
    for (const text of [
      '[a](javascript:alert(1))',
      '[a](data:text/html,x)',
      'javascript:alert(1)',
      '[a](//b.example)',
      '<b>x</b>',
    ]) {
      expect(line(text)).to.equal(text)
    }
  })

  it('shows as mentioned only whom the server found mentioned', () => {
    expect(line('@ada @ADA, @bob-2! @Everyone @cleo')).to.equal(
      'at(ada) at(ADA), at(bob-2)! at(Everyone) @cleo',
    )
    expect(line('x@ada.example @adam @ada-')).to.equal('x@ada.example @adam at(ada)-')
  })

  it('shows the emoji of a name that exists', () => {
    expect(line(':tada: :nothing: 12:tada:30')).to.equal('emoji(tada) :nothing: 12:tada:30')
  })

  it('keeps single lines and drops empty ones', () => {
    expect(line('a\nb\n\n\nc')).to.equal('a⏎b | c')
  })

  it('takes no longer over a hostile text than over a friendly one', () => {
    const began = performance.now()
    for (const piece of [
      '*_',
      '[',
      '`',
      '@',
      '> ',
      'https://(',
      '*a',
      '[a](',
      '~_*',
      ':a',
      '``` \n',
      ')]}',
    ]) {
      parseMarkup(piece.repeat(10_000 / piece.length), known)
    }
    expect(performance.now() - began).to.be.lessThan(1_500)
  })

  it('has a plain form for quotes', () => {
    expect(plainText('> *a* `b`\n- [c](https://d.example)')).to.equal('a b c')
  })
})
