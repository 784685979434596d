import { expect } from 'chai'
import { type Block, blocksOf, endsInFence, textsIn } from './text-blocks.ts'

/** The blocks as one readable line. */
const line = (text: string) => blocksOf(text).map(shown).join(' | ')

function shown(block: Block): string {
  if (block.kind === 'paragraph') return block.text
  if (block.kind === 'code') return `code ${block.language}(${block.title})[${block.text}]`
  if (block.kind === 'quote') return `quote(${block.children.map(shown).join(' | ')})`
  if (block.kind === 'table')
    return `table(${block.aligned.join(' ')}: ${block.rows.map(row => row.join(', ')).join('; ')})`
  const items = block.items.map(
    item => (block.ordered ? `${item.number}.` : '-') + item.children.map(shown).join(' | '),
  )
  return `list(${items.join(', ')})`
}

describe('blocks of texts', () => {
  it('ends fenced code at a fence, and begins a paragraph with the text after it', () => {
    expect(line('```ts\na\n```js\nb\n``` c\nd')).to.equal('code ts()[a\n```js\nb] | c\nd')
    expect(line('```\na\n``` ```\nb')).to.equal('code ()[a] | code ()[b]')
    expect(line('```\nto the end')).to.equal('code ()[to the end]')
  })

  it('reads the language and the title of a fence, tildes and long runs', () => {
    expect(line('```js title="a.js"\nlet a_b_c = 1\n```\nafter the code')).to.equal(
      'code js(title="a.js")[let a_b_c = 1] | after the code',
    )
    expect(line('~~~\n```\n~~~\nb')).to.equal('code ()[```] | b')
    expect(line('````md\n```\na\n```\n````')).to.equal('code md()[```\na\n```]')
    expect(line('   ```\n   a\n     b\n   ```')).to.equal('code ()[a\n  b]')
  })

  it('keeps the words behind a fence that is never closed', () => {
    expect(line('``` not code')).to.equal('``` not code')
    expect(line('```a` b')).to.equal('```a` b')
  })

  it('reads fences at the end of a line, as people of Slack type them', () => {
    expect(line('```npm ci\nnpm test```')).to.equal('code ()[npm ci\nnpm test]')
    expect(line('run: ```\nnpm ci\n```\nthen wait')).to.equal('run: | code ()[npm ci] | then wait')
    expect(line('run: ```\nnpm ci')).to.equal('run: ```\nnpm ci')
  })

  it('keeps the numbers that were typed', () => {
    expect(line('1. fine\n2. also\n4. later\n5. last')).to.equal('list(1.fine, 2.also, 4.later, 5.last)')
    expect(line('3. a\n2. b\n1) c')).to.equal('list(3.a, 2.b, 1.c)')
    expect(line('1. a\n\n2. b')).to.equal('list(1.a, 2.b)')
  })

  it('nests items that are indented by two or more columns', () => {
    for (const indent of ['  ', '    ', '\t'])
      expect(line(`- fruit\n${indent}- apple\n- bread`)).to.equal('list(-fruit | list(-apple), -bread)')
    expect(line('1. a\n  - b\n    - c\n   - d\n2. e')).to.equal('list(1.a | list(-b | list(-c), -d), 2.e)')
    expect(line('1. a\n\n   - b\n\n2. c')).to.equal('list(1.a | list(-b), 2.c)')
    expect(line('- a\n  b\nc')).to.equal('list(-a\nb) | c')
    expect(line('* a\n+ b\n• c')).to.equal('list(-a, -b, -c)')
  })

  it('makes no list of rules, sums and dashes without a space', () => {
    expect(line('* * *')).to.equal('* * *')
    expect(line('+ 1 from me')).to.equal('+ 1 from me')
    expect(line('-a\n1.b')).to.equal('-a\n1.b')
  })

  it('reads code inside items', () => {
    expect(line('- a\n  ```sh\n  npm ci\n    x\n  ```\n- b')).to.equal(
      'list(-a | code sh()[npm ci\n  x], -b)',
    )
    expect(line('1. ```\n- no item\n```\n2. b')).to.equal('list(1.code ()[- no item], 2.b)')
  })

  it('reads quotes within quotes and lists', () => {
    expect(line('> a\n> > b\nc')).to.equal('quote(a | quote(b)) | c')
    expect(line('- a\n  > b\n- c')).to.equal('list(-a | quote(b), -c)')
  })

  it('reads tables with their alignment', () => {
    expect(line('| a | b |\n| - | -: |\n| 1 | 2 |\nend')).to.equal('table(start end: a, b; 1, 2) | end')
    expect(line('see\na|b\n:-:|---\n1\\|2|3|4')).to.equal('see | table(center start: a, b; 1|2, 3 | 4)')
    expect(line('a | b\n---')).to.equal('a | b\n---')
    expect(line('| a |\n| b |')).to.equal('| a |\n| b |')
  })

  it('has the texts of quotes, lists and tables, but none of code', () => {
    const text = 'a\n> b\n> - c\n\n- d\n  - e\n```\nf\n```\n|g|h|\n|-|-|\n|i|j|'
    expect(textsIn(blocksOf(text))).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'g', 'h', 'i', 'j'])
  })

  it('tells whether a text ends inside a fence', () => {
    for (const text of [
      '```yaml',
      'hello\n```yaml\nport: 3900',
      '```js x',
      '- ```\n  a',
      'a: ```',
      '~~~\n```',
    ])
      expect(endsInFence(text), text).to.equal(true)
    for (const text of ['```yaml\nport: 3900\n```', 'a ```yaml', '```a```', '~~~\n~~~', '```a\nb```'])
      expect(endsInFence(text), text).to.equal(false)
  })
})
