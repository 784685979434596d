import { expect } from 'chai'
import { isUsername, usernameFrom, withEnding } from './username.ts'

describe('the username made from a name (interface 16.4)', () => {
  for (const [name, username] of [
    ['Jonas Weiß', 'jonas-weiss'],
    ['  Łukasz   Ærø ', 'lukasz-aero'],
    ["Siobhán O'Brien", 'siobhan-obrien'],
    ['J. R. Özdemir', 'j-r-ozdemir'],
    ['_Ann_', 'ann_'],
    ['田中 Yuki', 'yuki'],
    ['佐藤', ''],
    ['🎉', ''],
    [`${'a'.repeat(31)} b`, 'a'.repeat(31)],
  ] as const) {
    it(`is “${username}” for “${name}”`, () => {
      expect(usernameFrom(name)).to.equal(username)
      if (username) expect(isUsername(username)).to.equal(true)
    })
  }

  it('keeps the longest length with a number', () => {
    expect(withEnding('jonas', '-2')).to.equal('jonas-2')
    expect(withEnding('a'.repeat(32), '-12')).to.equal(`${'a'.repeat(29)}-12`)
  })
})
