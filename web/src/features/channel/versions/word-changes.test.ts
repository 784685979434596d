import { expect } from 'chai'
import { wordChanges } from './word-changes.ts'

describe('the words that changed between two versions', () => {
  const shown = (before: string, after: string) =>
    wordChanges(before, after)
      .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
      .join('')

  it('are removed and added where they stand', () => {
    expect(shown('Round 3 ships on Monday', 'Round 4 ships on Tuesday, sorry')).to.equal(
      'Round [-3-][+4+] ships on [-Monday-][+Tuesday, sorry+]',
    )
    expect(shown('a b c d', 'a c x d')).to.equal('a [-b -]c[+ x+] d')
    expect(shown('', 'new')).to.equal('[+new+]')
    expect(shown('gone', '')).to.equal('[-gone-]')
    expect(shown('same', 'same')).to.equal('same')
    expect(shown('Grüße 🏔', 'Grüße 🏖')).to.equal('Grüße [-🏔-][+🏖+]')
  })

  it('give back both texts, also when they are long', () => {
    const long = (seed: number) => Array.from({ length: 4_000 }, (_, i) => (i * seed) % 97).join(' ')
    for (const [before, after] of [
      ['one two three', 'three two one'],
      [long(7), long(11)],
    ] as const) {
      const changes = wordChanges(before, after)
      const without = (kind: string) =>
        changes
          .filter(one => one.kind !== kind)
          .map(one => one.text)
          .join('')
      expect(without('added')).to.equal(before)
      expect(without('removed')).to.equal(after)
    }
  })
})
