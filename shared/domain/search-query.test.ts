import { expect } from 'chai'
import fc from 'fast-check'
import { fold } from './fold.ts'
import { FILTER_NAMES, filterToken, matchesIn, parseSearch, tokensOf } from './search-query.ts'

describe('the query of a search', () => {
  const now = Date.parse('2026-11-22T08:00:00Z') / 1000
  const parse = (query: string) => parseSearch(query, now, 'UTC')
  const values = (query: string) =>
    tokensOf(query).map(({ isNegated, name, value }) => `${isNegated ? '-' : ''}${name ?? 'word'}=${value}`)

  it('has words in any order, phrases and unwanted words', () => {
    expect(parse('soak  overnight').words).to.deep.equal({ yes: ['soak', 'overnight'], no: [] })
    expect(parse('"overnight soak" -rain -"heavy rain"').words).to.deep.equal({
      yes: ['overnight soak'],
      no: ['rain', 'heavy rain'],
    })
    expect(values('- 5" "open phrase')).to.deep.equal(['word=-', 'word=5"', 'word=open phrase'])
  })

  it('has phrases in the quotation marks of several languages', () => {
    for (const phrase of [
      '„heavy rain“',
      '“heavy rain”',
      '”heavy rain”',
      '«heavy rain»',
      '« heavy rain »',
      '»heavy rain«',
      '„heavy rain',
      '＂heavy rain＂',
    ])
      expect(parse(`${phrase} in:general -${phrase}`).words, phrase).to.deep.equal(
        phrase.endsWith('n')
          ? { yes: ['heavy rain in:general -„heavy rain'], no: [] }
          : { yes: ['heavy rain'], no: ['heavy rain'] },
      )
  })

  it('has no word of marks alone', () => {
    const { words, problems, isEmpty } = parse('\u0301 \u200b')
    expect([words.yes, problems.map(problem => problem.why), isEmpty]).to.deep.equal([
      [],
      ['empty', 'empty'],
      true,
    ])
  })

  it('takes an unknown word before a colon as text, and an escaped colon', () => {
    expect(values('10:42 http://x from\\:ada a\\:b')).to.deep.equal([
      'word=10:42',
      'word=http://x',
      'word=from:ada',
      'word=a:b',
    ])
  })

  it('has filters in any case, negated and quoted', () => {
    expect(values('From:tomasz -in:"Rev C board" in:private:7 -has:IMAGE')).to.deep.equal([
      'from=tomasz',
      '-in=Rev C board',
      'in=private:7',
      '-has=IMAGE',
    ])
    const query = parse('from:ada from:bob -has:IMAGE is:dm -is:edited name:"Plan B" -name:x')
    expect(query.from.yes.map(token => token.value)).to.deep.equal(['ada', 'bob'])
    expect([query.has, query.is]).to.deep.equal([
      { yes: [], no: ['image'] },
      { yes: ['dm'], no: ['edited'] },
    ])
    expect(query.name).to.deep.equal({ yes: ['Plan B'], no: ['x'] })
  })

  it('narrows the time by all dates', () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
    const times = (query: string) => {
      const { start, end } = parse(query)
      return [start, end]
    }
    expect(times('before:2026-03-01')).to.deep.equal([undefined, day('2026-03-01')])
    expect(times('after:2026-03-01')).to.deep.equal([day('2026-03-02'), undefined])
    expect(times('on:2026-03')).to.deep.equal([day('2026-03-01'), day('2026-04-01')])
    expect(times('after:7d')).to.deep.equal([day('2026-11-16'), undefined])
    expect(times('on:2026 before:2026-03 after:2026-01-31')).to.deep.equal([
      day('2026-02-01'),
      day('2026-03-01'),
    ])
    expect(times('-before:today -after:today')).to.deep.equal([day('2026-11-22'), day('2026-11-23')])
    expect(parse('-on:today').notWithin).to.deep.equal([{ start: day('2026-11-22'), end: day('2026-11-23') }])
  })

  it('names the tokens that are left out', () => {
    expect(parse('x on:soon has:sparkles is: name: -has:saved is:pin').problems).to.deep.equal([
      { token: 'on:soon', why: 'bad_date' },
      { token: 'has:sparkles', why: 'unknown_value' },
      { token: 'is:', why: 'empty' },
      { token: 'name:', why: 'empty' },
      { token: '-has:saved', why: 'unknown_value' },
      { token: 'is:pin', why: 'unknown_value' },
    ])
    expect(parse('on:soon').isEmpty).to.equal(true)
    expect(parse('  ').isEmpty).to.equal(true)
    expect(parse('-x').isEmpty).to.equal(false)
  })

  it('loses no character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
        const tokens = tokensOf(text)
        let at = 0
        for (const { raw, from, to } of tokens) {
          expect(text.slice(from, to)).to.equal(raw)
          expect(text.slice(at, from).trim()).to.equal('')
          at = to
        }
        expect(text.slice(at).trim()).to.equal('')
      }),
    )
  })

  it('reads a written filter back', () => {
    const value = fc.string({ minLength: 1, maxLength: 30 }).filter(text => {
      return text.trim() === text && !text.includes('"') && !text.includes('\\')
    })
    fc.assert(
      fc.property(fc.constantFrom(...FILTER_NAMES), value, fc.boolean(), (name, text, isNegated) => {
        const [token, ...rest] = tokensOf(`${filterToken(name, text, isNegated)} more`)
        expect(rest).to.have.length(1)
        expect([token!.name, token!.value, token!.isNegated]).to.deep.equal([name, text, isNegated])
      }),
    )
  })

  it('takes every text without an error', () => {
    const pieces = fc.constantFrom('-', '"', ':', '\\', ' ', 'from:', 'on:', '2026', '7d', 'x', '\n', '￿')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), list => {
        const query = parse(list.join(''))
        expect(query.isEmpty).to.equal(tokensOf(list.join('')).length === query.problems.length)
      }),
    )
  })
})

describe('matches of a search', () => {
  it('are ranges without regard to case, sorted and merged', () => {
    expect(matchesIn('The Watchdog watched', ['watch', 'DOG', 'the'])).to.deep.equal([
      [0, 3],
      [4, 12],
      [13, 18],
    ])
    expect(matchesIn('aaaa', ['a'], 3)).to.deep.equal([[0, 3]])
    expect(matchesIn('abc', ['', 'x'])).to.deep.equal([])
  })

  it('keep their place after characters whose lower case is longer', () => {
    expect(matchesIn('İstanbul ferry', ['ferry'])).to.deep.equal([[9, 14]])
  })

  it('are those of folded texts, with the accents of the word', () => {
    expect(matchesIn('Über uber U\u0308ber', ['uber'])).to.deep.equal([
      [0, 4],
      [5, 9],
      [10, 15],
    ])
    expect(matchesIn('Über uber U\u0308ber', ['über'])).to.deep.equal([
      [0, 4],
      [10, 15],
    ])
    expect(matchesIn('die Straße', ['STRASSE'])).to.deep.equal([[4, 10]])
    expect(matchesIn('die Straße', ['s'])).to.deep.equal([
      [4, 5],
      [8, 9],
    ])
    expect(matchesIn('ＦＵＬＬ width ﬁn', ['full', 'fin'])).to.deep.equal([
      [0, 4],
      [11, 13],
    ])
  })

  it('contain a word each', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (text, word) => {
          for (const [from, to] of matchesIn(text, [word]))
            expect(fold(text.slice(from, to))).to.include(fold(word))
        },
      ),
    )
  })
})
