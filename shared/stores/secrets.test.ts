import { expect } from 'chai'
import { secretsUnder } from './secrets.ts'

const [FIRST, SECOND, OWN] = ['a', 'b', 'c'].map(letter => letter.repeat(32)) as [string, string, string]
const under = (sessionSecret: string, previousSessionSecret?: string, secretsKey?: string) =>
  secretsUnder({ sessionSecret, previousSessionSecret, secretsKey })

describe('stored secrets', () => {
  it('open to the text that was sealed, and look different each time', () => {
    const secrets = under(FIRST)
    for (const text of ['', 'whsec_abc', 'ümläut 🎉', 'x'.repeat(10_000)]) {
      const value = secrets.seal(text, 'hooks_in:1:sign')
      expect(secrets.open(value, 'hooks_in:1:sign')).to.equal(text)
      expect(value.equals(secrets.seal(text, 'hooks_in:1:sign'))).to.equal(false)
      if (text !== '') expect(value.includes(text)).to.equal(false)
    }
  })

  it('open in no other place, under no other key, and not when they were changed', () => {
    const value = under(FIRST).seal('hush', 'hooks_in:1:sign')
    expect(under(FIRST).open(value, 'hooks_in:2:sign')).to.equal(null)
    expect(under(SECOND).open(value, 'hooks_in:1:sign')).to.equal(null)
    for (let at = 0; at < value.length; at++) {
      const changed = Buffer.from(value)
      changed[at]! ^= 1
      expect(under(FIRST).open(changed, 'hooks_in:1:sign'), String(at)).to.equal(null)
    }
    for (let length = 0; length < value.length; length++)
      expect(under(FIRST).open(value.subarray(0, length), 'hooks_in:1:sign')).to.equal(null)
  })

  it('outlive a new session key while the former one is there, and are written anew', () => {
    const value = under(FIRST).seal('hush', 'a')
    const changed = under(SECOND, FIRST)
    expect(changed.open(value, 'a')).to.equal('hush')
    const anew = changed.renewed(value, 'a')!
    expect(under(SECOND).open(anew, 'a')).to.equal('hush')
    expect(changed.renewed(anew, 'a')).to.equal(undefined)
    expect(under(OWN).renewed(value, 'a')).to.equal(undefined)
  })

  it('outlive the session key under a key of their own', () => {
    const value = under(FIRST).seal('hush', 'a')
    const own = under(FIRST, undefined, OWN)
    expect(own.open(value, 'a')).to.equal('hush')
    expect(under(SECOND, undefined, OWN).open(own.renewed(value, 'a')!, 'a')).to.equal('hush')
    expect(under(FIRST).open(own.seal('hush', 'a'), 'a')).to.equal(null)
  })
})
