import { expect } from 'chai'
import fc from 'fast-check'
import { type Block, type Inline, linksIn, parseMarkup } from './markup.ts'
import { plainText } from './one-line.ts'

const known = {
  mentions: ['ada', 'Bob-2', '@everyone'],
  isEmoji: (name: string) => ['tada', 'party-parrot', '+1', '-_x'].includes(name),
}

/** The tree as one readable line. */
function line(text: string): string {
  return parseMarkup(text, known).map(block).join(' | ')
}

function block(one: Block): string {
  if (one.kind === 'paragraph') return all(one.children)
  if (one.kind === 'code') return `fence ${one.language} [${one.text}]`
  if (one.kind === 'table') return `table (${one.rows.map(row => row.map(all).join(', ')).join('; ')})`
  if (one.kind === 'quote') return `quote (${one.children.map(block).join(' | ')})`
  const items = one.items.map(
    ({ number, children }) => (one.ordered ? `${number} ` : '') + children.map(block).join(' | '),
  )
  return `list (${items.join(', ')})`
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
  if (one.kind === 'group') return `group(${one.name})`
  if (one.kind === 'channel') return `in(${one.name})`
  if (one.kind === 'emoji') return `emoji(${one.name})`
  return `${one.kind}(${all(one.children)})`
}

describe('markup', () => {
  it('parses bold, italic and strike', () => {
    expect(line('*a* **b** _c_ ~d~ ~~e~~')).to.equal('strong(a) strong(b) em(c) strike(d) strike(e)')
    expect(line('*a _b_ c*')).to.equal('strong(a em(b) c)')
  })

  it('ignores marks inside words, beside spaces or without an end', () => {
    expect(line('snake_case_name 2*3*4 a~b~c')).to.equal('snake_case_name 2*3*4 a~b~c')
    expect(line('2 * 3 * 4')).to.equal('2 * 3 * 4')
    expect(line('*never closed _nor this')).to.equal('*never closed _nor this')
    expect(line('*a _b* c_')).to.equal('strong(a _b) c_')
    expect(line('**** __ **')).to.equal('**** __ **')
    expect(line('*a*b c*d* _a_b')).to.equal('strong(a*b c*d) _a_b')
  })

  it('reads marks beside letters of scripts without spaces', () => {
    expect(line('请看**粗体**文字，_斜_体')).to.equal('请看strong(粗体)文字，em(斜)体')
  })

  it('reads names within marks', () => {
    expect(line('_@ada_ **@ada** ~@ada~')).to.equal('em(at(ada)) strong(at(ada)) strike(at(ada))')
  })

  it('shows a mark after a backslash, and smileys as emoji', () => {
    expect(line('\\*a\\* \\_b_ :) \\:)')).to.equal('*a* _b_ 🙂 :)')
  })

  it('counts accents, combining vowel signs and rare letters as parts of a word', () => {
    expect(line('é_a_ हिन्दी_a_ 𐐀*a* *a*𐐀')).to.equal('é_a_ हिन्दी_a_ 𐐀*a* *a*𐐀')
    expect(line('😀*a*😀')).to.equal('😀strong(a)😀')
  })

  it('has no headings, no HTML and no pictures from elsewhere', () => {
    expect(line('# a\n<img src=x onerror=alert(1)>\n![b](https://c.example/d.png)')).to.equal(
      '# a⏎<img src=x onerror=alert(1)>⏎!link(b→https://c.example/d.png)',
    )
  })

  it('leaves code unparsed', () => {
    expect(line('`*a* @ada https://x.example`')).to.equal('code(*a* @ada https://x.example)')
    expect(line('``a ` b``')).to.equal('code(a ` b)')
    expect(line('a ` b')).to.equal('a ` b')
    expect(line('`a``b` `c')).to.equal('code(a``b) `c')
    expect(line('x\n```ts\nlet *a* = 1\n\n> b\n```\ny')).to.equal('x | fence ts [let *a* = 1\n\n> b] | y')
    expect(line('```\nto the end')).to.equal('fence  [to the end]')
    expect(line('```\na\n```  \nb')).to.equal('fence  [a] | b')
  })

  it('parses quotes and lists', () => {
    expect(line('> a\n> *b*\nc')).to.equal('quote (a⏎strong(b)) | c')
    expect(line('- a\n- b\n\n3. c\n4. d')).to.equal('list (a, b) | list (3 c, 4 d)')
    expect(line('-a\n1.b')).to.equal('-a⏎1.b')
  })

  it('finds links without the punctuation after them', () => {
    expect(line('see https://a.example/x.')).to.equal('see link(https://a.example/x→https://a.example/x).')
    expect(line('(https://a.example/x_(y))')).to.equal(
      '(link(https://a.example/x_(y)→https://a.example/x_(y)))',
    )
    expect(line('*https://a.example/*')).to.equal('strong(link(https://a.example/→https://a.example/))')
    expect(line('[the page](https://a.example) [me](mailto:a@b.example)')).to.equal(
      'link(the page→https://a.example) link(me→mailto:a@b.example)',
    )
    expect(line('[a](https://a.example/x_(y)) Https://A.example')).to.equal(
      'link(a→https://a.example/x_(y)) link(Https://A.example→Https://A.example)',
    )
  })

  it('makes no link of text that is not a complete address', () => {
    for (const text of ['https://', 'https://... http://:', 'xhttps://a.example', '[](https:)', '[a](b)'])
      expect(line(text)).to.equal(text)
    expect(line('[a](https://%)')).to.equal('[a](https://%)')
  })

  it('returns the link for the card: the first web link outside code', () => {
    const first = (text: string) => linksIn(parseMarkup(text, known))[0]
    expect(
      first('`https://a.example` [me](mailto:a@b.example) *see https://c.example/x*, https://d.example'),
    ).to.equal('https://c.example/x')
    expect(first('```\nhttps://a.example\n```\n- one\n- [two](https://b.example)')).to.equal(
      'https://b.example',
    )
    expect(first('> https://q.example\n\nhttps://p.example')).to.equal('https://q.example')
    expect(first('nothing at all')).to.equal(undefined)
  })

  it('makes links of http, https and mailto only', () => {
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

  it('shows the handles of groups that the server found mentioned', () => {
    const groups = ['ada-team']
    const shown = all(
      parseMarkup('@Ada-Team and @ada-, @bob', { ...known, groups }).flatMap(block =>
        block.kind === 'paragraph' ? block.children : [],
      ),
    )
    expect(shown).to.equal('group(Ada-Team) and at(ada)-, @bob')
    expect(plainText('@ada-team')).to.equal('@ada-team')
  })

  it('shows mentions only for names the server found mentioned', () => {
    expect(line('@ada @ADA, @bob-2! @Everyone @cleo')).to.equal(
      'at(ada) at(ADA), at(bob-2)! at(Everyone) @cleo',
    )
    expect(line('x@ada.example @adam @ada-')).to.equal('x@ada.example @adam at(ada)-')
    expect(line('é@ada a+@ada @ada@b.example')).to.equal('é@ada a+@ada @ada@b.example')
  })

  it('links the channels that the reader can see, the longest name first', () => {
    const channels = ['design', 'design-review', 'rev c board', 'größe']
    const shown = (text: string) => {
      const [block] = parseMarkup(text, { ...known, channels })
      return block?.kind === 'paragraph' ? all(block.children) : ''
    }
    expect(shown('#design, #Design-review. (#größe)')).to.equal('in(design), in(Design-review). (in(größe))')
    expect(shown('see #Rev C board *#design*')).to.equal('see in(Rev C board) strong(in(design))')
    expect(shown('#design- #designs #design_x #other C#design ##design')).to.equal(
      'in(design)- #designs #design_x #other C#design ##design',
    )
    expect(shown('https://a.example/x#design ftp://a.example/#design')).to.equal(
      'link(https://a.example/x#design→https://a.example/x#design) ftp://a.example/#design',
    )
    expect(shown('`#design` a/#design')).to.equal('code(#design) a/#design')
    expect(line('#design')).to.equal('#design')
  })

  it('shows an emoji for a known name only', () => {
    expect(line(':tada: :nothing: 12:tada:30')).to.equal('emoji(tada) :nothing: 12:tada:30')
    expect(line(':party-parrot: :+1: :-_x:')).to.equal('emoji(party-parrot) emoji(+1) emoji(-_x)')
  })

  it('keeps single lines and drops empty ones', () => {
    expect(line('a\nb\n\n\nc')).to.equal('a⏎b | c')
  })

  it('parses a hostile text as fast as a friendly one', () => {
    const pieces = HOSTILE.concat(MARKS)
    for (const piece of pieces) parseMarkup(piece.repeat(100), known)
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(10_000 / piece.length))
      // CPU time of this process, independent of the machine's load.
      const before = process.cpuUsage()
      const found = parseMarkup(text, known)
      expect(process.cpuUsage(before).user / 1_000, piece).to.be.below(250)
      expect(lettersIn(found), piece).to.equal(letters(text))
    }
  })

  it('takes at most three times as long for any text as for an ordinary one of the same length', () => {
    const cost = (text: string) => {
      const before = process.cpuUsage()
      for (let round = 0; round < 5; round++) parseMarkup(text, known)
      return process.cpuUsage(before).user
    }
    const ordinary = repeated(ORDINARY)
    const ratio = (text: string) => {
      let best = Number.POSITIVE_INFINITY
      // A pause of the machine or the collector is not the text's.
      for (let round = 0; best > 3 && round < 8; round++) best = Math.min(best, cost(text) / cost(ordinary))
      return best
    }
    for (let round = 0; round < 20; round++) cost(ordinary)
    const pieces = fc.array(fc.constantFrom(...HOSTILE, ...PIECES), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pieces, some => {
        expect(ratio(repeated(some.join('')))).to.be.at.most(3)
      }),
      { numRuns: 60 },
    )
  }).timeout(60_000)

  it('keeps every letter of any text in order and creates only safe links', () => {
    const random = randomly(7)
    for (let round = 0; round < 4_000; round++) {
      const text = Array.from({ length: 1 + random(24) }, () => PIECES[random(PIECES.length)]).join('')
      const found = parseMarkup(text, known)
      expect(lettersIn(found), JSON.stringify(text)).to.equal(letters(text))
      for (const href of addressesIn(found)) expect(href).to.match(/^(?:https?:\/\/|mailto:)/i)
    }
  })

  it('has a plain-text form for quotes, in which items stay apart', () => {
    expect(plainText('> *a* `b`\n- [c](https://d.example)\n- d\n  - e\nf')).to.equal('a b · c · d · e · f')
    expect(plainText('|a|b|\n|-|-|\n|1|2|')).to.equal('a · b · 1 · 2')
  })
})

const repeated = (piece: string) => piece.repeat(Math.ceil(10_000 / piece.length)).slice(0, 10_000)

const ORDINARY =
  '*Agenda* for _Monday_:\n- see https://a.example/x, `code` and @ada\n- [minutes](https://b.example/y) :)\n' +
  '  1. ask **Bob**\n> quoted ~words~\n\nThanks @ada!\n'

const MARKS = [
  '*',
  '**',
  '_',
  '~',
  '`',
  '[',
  ']',
  '(',
  ')',
  '>',
  '> ',
  '- ',
  '1. ',
  '@',
  ':',
  '<',
  '\n',
  '\n\n',
]
const HOSTILE = [
  '*_',
  '*a',
  '~_*',
  'a*',
  '_a _',
  '@ada',
  ':a',
  ':tada:',
  ')]}',
  '[a](',
  '[a](https://',
  '[a](https://b(',
  '](',
  '`a``',
  '`\n',
  '``` \n',
  '```\n> ',
  '>'.repeat(9),
  '> - ',
  'https://(',
  'https://)',
  'https://.',
  'hhttps://',
  '- *',
  '1. `',
  '\u0301*',
  '\ud800',
  '```x y\n',
  '~~~ a b\nc ```\n',
  'a ```\n',
  'a ````x\n',
  '- ```a\n',
  '- - - - a',
  '- a\n  - b\n',
  '\n  - a',
  '- \n\n',
  '|a|b\n|-|-\n',
  '|',
  '-',
  '|-|\n',
  '\\',
  '\\*',
  '\n\\-',
  'a ',
  '_@',
  '_#',
  'https://%,',
  '[](https://%)',
  '<https://a',
  ':) ',
]
const PIECES = [
  ...MARKS,
  ...MARKS,
  '```',
  '```ts\n',
  '\n```\n',
  'a',
  'b c',
  'Zé',
  'हि',
  '𐐀',
  '😀',
  ' ',
  '  ',
  '\t',
  '\r\n',
  '1',
  '7. ',
  '- ',
  'https://x.example/a',
  'https://',
  'HTTP://y.example',
  'mailto:q@r.example',
  'javascript:x',
  '](https://z.example/(w))',
  '](mailto:u@v.example)',
  '@ada',
  '@everyone',
  ':tada:',
  ':nothing:',
  '.',
  ',',
  '!',
  '  - ',
  '~~~',
  '|',
  '\n|-|-|\n',
  ' :) ',
  '\\*',
  '<b>',
  '&amp;',
  '"',
  "'",
  '\\',
  '\u202e',
  '\ud83d',
]

/** The letters of a text without marks: none may be lost, doubled or moved. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '')

const lettersIn = (found: Block[]): string => letters(found.map(words).join(' '))

function words(block: Block): string {
  if (block.kind === 'code') return `${block.language} ${block.title} ${block.text}`
  if (block.kind === 'quote') return block.children.map(words).join(' ')
  if (block.kind === 'list') return block.items.flatMap(item => item.children.map(words)).join(' ')
  return (block.kind === 'table' ? block.rows.flat(2) : block.children).map(wordsIn).join('')
}

function wordsIn(node: Inline): string {
  if ('children' in node) return node.children.map(wordsIn).join('')
  if (node.kind === 'link') return node.text === node.href ? node.text : `${node.text} ${node.href}`
  if (node.kind === 'break') return ' '
  return 'name' in node ? node.name : node.text
}

function addressesIn(found: Block[]): string[] {
  const inside = (node: Inline): string[] =>
    'children' in node ? node.children.flatMap(inside) : node.kind === 'link' ? [node.href] : []
  return found.flatMap(block => {
    if (block.kind === 'code') return []
    if (block.kind === 'quote') return addressesIn(block.children)
    if (block.kind === 'list') return block.items.flatMap(item => addressesIn(item.children))
    return (block.kind === 'table' ? block.rows.flat(2) : block.children).flatMap(inside)
  })
}

/** A seeded generator (mulberry32), so that a failure can be repeated. */
function randomly(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
