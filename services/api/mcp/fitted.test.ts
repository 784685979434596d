import { expect } from 'chai'
import { fitted, shownText } from './fitted.ts'

const MOST = 32 * 1_024

/** A result as it is sent. */
const bytesOf = (structuredContent: object) =>
  Buffer.byteLength(
    JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    }),
  )

describe('a result of a tool', () => {
  const make = (items: { text: string }[], isCut: boolean) => ({ items, isCut })

  it('has everything that fits', () => {
    const items = ['a', 'b'].map(text => ({ text }))
    expect(fitted(items, make)).to.deep.equal({ items, isCut: false })
    expect(fitted([], make)).to.deep.equal({ items: [], isCut: false })
  })

  for (const [kind, character] of Object.entries({
    letters: 'x',
    quotes: '"',
    controls: '\u0001',
    ideographs: '語',
    emoji: '😀',
  }))
    it(`has at most 32 KiB of ${kind}, and at least one item`, () => {
      for (const length of [1, 40, 700, 3_000, 100_000]) {
        const items = Array(400).fill(shownText(character.repeat(length))) as { text: string }[]
        const { items: shown, isCut } = fitted(items, make)
        expect(bytesOf({ items: shown, isCut }), `${length}`).to.be.at.most(MOST)
        expect(shown, `${length}`).to.not.have.length(0)
        expect(isCut, `${length}`).to.equal(shown.length < items.length)
        if (isCut && length < 1_000)
          expect(bytesOf({ items: shown, isCut }), `${length}`).to.be.above(MOST - 20_000)
      }
    })
})

describe('a text in a result', () => {
  it('is whole up to 12 KiB in both forms', () => {
    expect(shownText('short')).to.deep.equal({ text: 'short' })
    const long = 'x'.repeat(6_100)
    expect(shownText(long)).to.deep.equal({ text: long })
  })

  it('is cut between characters, and says so', () => {
    for (const before of ['', 'x']) {
      const { text, text_is_cut } = shownText(before + '😀'.repeat(10_000))
      expect(text_is_cut).to.equal(true)
      expect(text.isWellFormed()).to.equal(true)
      expect(text).to.have.length.within(2_000, 6_200)
    }
  })
})
