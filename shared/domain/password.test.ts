import { expect } from 'chai'
import fc from 'fast-check'
import { unmetPasswordRules } from './password.ts'

describe('password rules (interface 4.1, 8)', () => {
  it('are all met by a good one', () => {
    expect(unmetPasswordRules('Passw0rd!', 'Passw0rd!')).to.deep.equal([])
  })

  it('are named one by one', () => {
    expect(unmetPasswordRules('', '')).to.deep.equal(['length', 'digit', 'uppercase', 'special'])
    expect(unmetPasswordRules('Passw0rd!', 'Passw0rd?')).to.deep.equal(['match'])
    expect(unmetPasswordRules('PÄSSWORT1ä', 'PÄSSWORT1ä')).to.deep.equal(['special'])
    expect(unmetPasswordRules('äöüß1!xyÄ', 'äöüß1!xyÄ')).to.deep.equal(['uppercase'])
    const long = `A1!${'x'.repeat(1_022)}`
    expect(unmetPasswordRules(long, long)).to.deep.equal(['longest'])
  })

  it('accept each special character of the list', () => {
    for (const special of "!@#$%^&*()_+-=[]{};':|,./<>?`~") {
      const password = `Passw0rd${special}`
      expect(unmetPasswordRules(password, password), special).to.deep.equal([])
    }
    for (const other of '"\\ §') {
      expect(unmetPasswordRules(`Passw0rd${other}`, `Passw0rd${other}`), other).to.deep.equal(['special'])
    }
  })

  it('judge any text by its characters, line breaks and emoji included', () => {
    const letter = fc.oneof(
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom(...'\n\\"§😀Ä'),
    )
    const text = fc.array(letter, { maxLength: 12 }).map(letters => letters.join(''))
    const special = new Set("!@#$%^&*()_+-=[]{};':|,./<>?`~")
    fc.assert(
      fc.property(text, typed => {
        const unmet = unmetPasswordRules(typed, typed)
        const characters = [...typed]
        expect(unmet.includes('length')).to.equal(characters.length < 8)
        expect(unmet.includes('digit')).to.equal(!characters.some(one => one >= '0' && one <= '9'))
        expect(unmet.includes('uppercase')).to.equal(!characters.some(one => one >= 'A' && one <= 'Z'))
        expect(unmet.includes('special')).to.equal(!characters.some(one => special.has(one)))
      }),
      { numRuns: 500 },
    )
  })
})
