import { expect } from 'chai'
import { fitOf, hasWords } from './fuzzy.ts'

const order = (typed: string, names: string[]) =>
  names
    .map(name => ({ name, found: fitOf(typed, name) }))
    .filter(one => one.found)
    .sort((a, b) => b.found!.score - a.found!.score)
    .map(one => one.name)
const hits = (typed: string, name: string) =>
  fitOf(typed, name)
    ?.parts.filter(part => part.hit)
    .map(part => part.text)

describe('matching a query with names', () => {
  it('prefers the whole name, then its beginning, a word, the inside, and scattered letters', () => {
    const names = ['e-x-n', 'general', 'field-en', 'engineering', 'en', 'design']
    expect(order('en', names)).to.deep.equal(['en', 'engineering', 'field-en', 'general', 'e-x-n'])
  })

  it('prefers shorter names', () => {
    expect(order('des', ['design-system', 'design'])).to.deep.equal(['design', 'design-system'])
  })

  it('ignores case and surrounding spaces', () => {
    expect(hits(' rev ', 'Rev C board')).to.deep.equal(['Rev'])
    expect(fitOf('zebra', 'Rev C board')).to.equal(undefined)
  })

  it('ignores accents and width, and marks the letters as written', () => {
    expect(hits('zielin', 'Zieliński')).to.deep.equal(['Zieliń'.slice(0, 6)])
    expect(hits('hakon', 'Håkonsen')).to.deep.equal(['Håkon'])
    expect(hits('strasse', 'Straße 5')).to.deep.equal(['Straße'])
    expect(hits('abc', 'ＡＢＣ')).to.deep.equal(['ＡＢＣ'])
  })

  it('finds several words in any order', () => {
    expect(hasWords('bald otti', 'Ottilie Quarz, Baldur Ó Briain')).to.equal(true)
    expect(hasWords('obri', 'Ottilie Quarz, Baldur Ó Briain')).to.equal(false)
    expect(hasWords('otti zebra', 'Ottilie Quarz')).to.equal(false)
  })

  it('matches initial letters of words', () => {
    expect(hits('rcb', 'Rev C board')).to.deep.equal(['R', 'C', 'b'])
    expect(hits('lo', 'li-wen, okonkwo')).to.deep.equal(['l', 'o'])
    expect(order('rb', ['arbour of birches', 'scrub', 'Rev C board'])[0]).to.equal('arbour of birches')
  })

  it('marks a match at a word start before one inside a word', () => {
    expect(fitOf('on', 'carbon-on')?.parts).to.deep.equal([
      { text: 'carbon-', hit: false },
      { text: 'on', hit: true },
    ])
  })

  it('matches a single letter within a word', () => {
    expect(fitOf('g', 'design')?.score).to.be.greaterThan(0)
    expect(fitOf('z', 'design')).to.equal(undefined)
  })

  it('returns every letter of any name', () => {
    for (const name of ['İstanbul', 'größe', '😀 party', 'a'])
      for (const typed of ['a', 'st', 'öß', 'party', ''])
        expect((fitOf(typed, name)?.parts ?? [{ text: name }]).map(part => part.text).join('')).to.equal(name)
  })
})
