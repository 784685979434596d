import { expect } from 'chai'
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
})
