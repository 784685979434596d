import { expect } from 'chai'
import fc from 'fast-check'
import { atomsOf } from './text-atoms.ts'

describe('atoms of texts', () => {
  const kinds = (text: string) =>
    atomsOf(text)
      .filter(atom => atom.kind !== 'text')
      .map(atom => (atom.kind === 'name' ? `@${atom.token}` : 'href' in atom ? atom.href : atom.kind))

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

  /** Links as `text→address`, other atoms by kind. */
  const links = (text: string) => atomsOf(text).flatMap(atom => (atom.kind === 'link' ? [atom.href] : []))

  it('ends an address at full-width punctuation', () => {
    expect(
      links('（https://harbour.example/）と「https://harbour.example/b」、https://harbour.example/c。次'),
    ).to.deep.equal(['https://harbour.example/', 'https://harbour.example/b', 'https://harbour.example/c'])
    expect(links('見てhttps://harbour.example/東京')).to.deep.equal(['https://harbour.example/東京'])
  })

  it('keeps brackets that an address opened', () => {
    expect(links('https://harbour.example/users/{id} https://harbour.example/?tag[]=a&tag[]')).to.deep.equal([
      'https://harbour.example/users/{id}',
      'https://harbour.example/?tag[]=a&tag[]',
    ])
    expect(links('{see [https://a.example/x]}')).to.deep.equal(['https://a.example/x'])
    expect(links('<https://a.example/x,>')).to.deep.equal(['https://a.example/x,'])
  })

  it('makes one link of an address of any length', () => {
    const address = `https://harbour.example/?q=${'a'.repeat(3_000)}`
    expect(links(`see ${address}.`)).to.deep.equal([address])
    expect(links(`[words](${address})`)).to.deep.equal([address])
  })

  it('reads brackets in words and address of a link', () => {
    const one = (text: string) =>
      atomsOf(text).map(atom => (atom.kind === 'link' ? `${atom.text}→${atom.href}` : atom.kind))
    expect(one('[a [b] c](https://a.example/x_(y(z)))')).to.deep.equal(['a [b] c→https://a.example/x_(y(z))'])
    expect(one('[a \\] b](https://a.example "Title")')).to.deep.equal(['a ] b→https://a.example'])
    expect(one('[a](<https://a.example/(x>)').at(-1)).to.not.equal('a→')
  })

  it('finds names beside letters of scripts without spaces, and in italics', () => {
    expect(kinds('交给@ada处理')).to.deep.equal(['@ada'])
    expect(kinds('ถึง@ada ครับ')).to.deep.equal(['@ada'])
    expect(kinds('_@ada_ __@bob__')).to.deep.equal(['@ada_', '@bob__'])
    for (const text of ['josé@ada', 'почта@ada', 'a_@ada', '/_@ada', 'x.@ada'])
      expect(kinds(text), text).to.deep.equal([])
  })

  it('makes a mark after a backslash plain', () => {
    const plain = (text: string) =>
      atomsOf(text).map(atom =>
        'from' in atom ? text.slice(atom.from, atom.to) : 'text' in atom ? `(${atom.text})` : atom.kind,
      )
    expect(plain('\\*a\\* \\@ada \\`b')).to.deep.equal(['(*)', 'a', '(*)', ' ', '(@)', 'ada ', '(`)', 'b'])
    expect(plain('\\- a')).to.deep.equal(['(-)', ' a'])
    expect(plain('1\\. a')).to.deep.equal(['1', '(.)', ' a'])
    expect(plain('\\\\server\\share C:\\temp')).to.deep.equal(['\\\\server\\share C:\\temp'])
    expect(plain('¯\\_(ツ)_/¯')).to.deep.equal(['¯\\_(ツ)_/¯'])
  })

  it('draws smileys between white space only', () => {
    const smileys = (text: string) =>
      atomsOf(text).flatMap(atom => (atom.kind === 'smiley' ? [atom.text] : []))
    expect(smileys(':) thanks <3, ok :D')).to.deep.equal(['🙂', '❤️', '😃'])
    expect(smileys('a:) http:// x<3 :)x 16:D `:)` :p:')).to.deep.equal([])
  })

  it('reads the rest of a text once, however often code ends an address', () => {
    const cost = (times: number) => {
      const text = 'हि`a``[HTTP://y.example'.repeat(times)
      const before = process.cpuUsage()
      atomsOf(text)
      return process.cpuUsage(before).user
    }
    cost(1_000)
    // Ten times the text: a hundred times the work if each address were read to its end.
    expect(cost(10_000) / Math.min(cost(1_000), cost(1_000), cost(1_000))).to.be.below(40)
  })
})
