import { expect } from 'chai'
import { areBackupsProven, isSecure, isSignUpSafe } from './checks.ts'

describe('the checks of an installation', () => {
  it('find https alone secure', () => {
    expect(['https:', 'http:'].map(isSecure)).to.deep.equal([true, false])
  })

  it('let sign-up be open in a network of one’s own', () => {
    for (const host of [undefined, 'chat.lan', 'localhost', '192.168.1.20'])
      expect(isSignUpSafe('open', host), host).to.equal(true)
    expect(isSignUpSafe('open', 'chat.example.org')).to.equal(false)
    for (const mode of ['invite', 'approval', 'closed'] as const)
      expect(isSignUpSafe(mode, 'chat.example.org')).to.equal(true)
  })

  it('want a restore proven within two days, and no problem', () => {
    expect(areBackupsProven(3_600, null)).to.equal(true)
    expect(areBackupsProven(48 * 3_600, null)).to.equal(false)
    expect(areBackupsProven(undefined, null)).to.equal(false)
    expect(areBackupsProven(3_600, 'the disk is full')).to.equal(false)
  })
})
