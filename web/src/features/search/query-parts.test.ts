import { expect } from 'chai'
import fc from 'fast-check'
import { parseSearch } from '#shared/domain/search-query.ts'
import { filterBeingTyped, partsOf, queryOf, withChips } from './query-parts.ts'

describe('the parts of a query', () => {
  it('are chips and the text of the field', () => {
    expect(partsOf('soak from:tomasz "a b" -in:"Rev C board" 10:42')).to.deep.equal({
      chips: ['from:tomasz', '-in:"Rev C board"'],
      typed: 'soak "a b" 10:42',
    })
    expect(partsOf('soak -units -"a b" - 10-20')).to.deep.equal({
      chips: ['-units', '-"a b"'],
      typed: 'soak - 10-20',
    })
    expect(partsOf('-"a b').chips).to.deep.equal(['-"a b"'])
    expect(queryOf({ chips: ['from:ada'], typed: ' soak ' })).to.equal('from:ada soak')
  })

  it('become chips behind the caret only', () => {
    const typed = { chips: [], typed: 'from:ada soak' }
    expect(withChips(typed, 8)).to.deep.equal(typed)
    expect(withChips(typed, 9)).to.deep.equal({ chips: ['from:ada'], typed: 'soak' })
    expect(withChips({ chips: [], typed: 'from:' }, 9).chips).to.deep.equal([])
    expect(filterBeingTyped('soak from:to')?.value).to.equal('to')
    expect(filterBeingTyped('from:to ')).to.equal(undefined)
    expect(filterBeingTyped('10:42')).to.equal(undefined)
  })

  it('mean the same as the whole query', () => {
    const pieces = fc.constantFrom(
      'soak',
      '"a b"',
      '-x',
      'from:ada',
      '-in:"a b"',
      'has:image',
      'on:2026',
      '10:42',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), list => {
        const meaning = (query: string) => {
          const { words, has, start, end, from } = parseSearch(query, 1_795_000_000, 'UTC')
          return {
            yes: words.yes,
            no: new Set(words.no),
            has: new Set(has.yes),
            start,
            end,
            from: new Set(from.yes.map(one => one.value)),
          }
        }
        expect(meaning(queryOf(partsOf(list.join(' '))))).to.deep.equal(meaning(list.join(' ')))
      }),
    )
  })
})
