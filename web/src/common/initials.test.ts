import { expect } from 'chai'
import { initialsIn } from './initials.ts'

describe('initials of a person without a picture', () => {
  for (const [name, letters] of [
    ['Ada Lovelace', 'AL'],
    ['ada-lovelace', 'AL'],
    ['CI', 'CI'],
    ['J. R. Özdemir', 'JR'],
    ['(Bob)', 'BO'],
    ['田中 Yuki', '田Y'],
    ['𝒳avier', '𝒳A'],
    ['x', 'X'],
    ['🦊', '?'],
  ] as const)
    it(`are ${letters} for ${name}`, () => {
      expect(initialsIn(name)).to.equal(letters)
    })
})
