import { expect } from 'chai'
import fc from 'fast-check'
import { atomsOf, blocksOf, textsIn } from './text-grammar.ts'

describe('the grammar of texts', () => {
  const kinds = (text: string) =>
    atomsOf(text)
      .filter(atom => atom.kind !== 'text')
      .map(atom => (atom.kind === 'name' ? `@${atom.token}` : 'href' in atom ? atom.href : atom.kind))

  it('ends fenced code at a fence, and begins a paragraph with the text after it', () => {
    expect(blocksOf('```ts\na\n```js\nb\n``` c\nd')).to.deep.equal([
      { kind: 'code', language: 'ts', text: 'a\n```js\nb' },
      { kind: 'paragraph', text: 'c\nd' },
    ])
    expect(blocksOf('```\na\n``` ```\nb').map(({ kind }) => kind)).to.deep.equal(['code', 'paragraph'])
  })

  it('has the texts of quotes and lists, but none of code', () => {
    expect(textsIn(blocksOf('a\n> b\n> - c\n\n- d\n- e\n```\nf'))).to.deep.equal(['a', 'b', 'c', 'd', 'e'])
  })

  it('finds no name in an address, whether or not it is a link', () => {
    for (const address of [
      'https://a.example/',
      'ftp://',
      'www.a.example/',
      'mailto:',
      'xhttps://a/',
      'wss://a/(',
    ]) {
      expect(
        kinds(`${address}?(@ada`).filter(kind => kind.startsWith('@')),
        address,
      ).to.deep.equal([])
      expect(
        kinds(`${address}?(x @ada`).filter(kind => kind.startsWith('@')),
        address,
      ).to.deep.equal(['@ada'])
    }
    expect(kinds('@ada-www.a.example/(@bob')).to.deep.equal(['@ada-www'])
  })

  it('ends a name where a link begins', () => {
    expect(kinds('@ada-https://a.example')).to.deep.equal(['@ada-', 'https://a.example'])
  })

  it('finds no name in code or in the words of a named link', () => {
    expect(kinds('`@ada` [@bob](https://a.example) @cleo')).to.deep.equal([
      'code',
      'https://a.example',
      '@cleo',
    ])
  })

  it('covers plain characters and names without gaps', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        let at = 0
        for (const atom of atomsOf(text)) {
          if (atom.kind === 'text' || atom.kind === 'name') {
            expect(atom.from).to.be.at.least(at)
            expect(atom.to).to.be.greaterThan(atom.from)
            at = atom.to
          }
        }
        expect(at).to.be.at.most(text.length)
      }),
    )
  })
})
