import { expect } from 'chai'
import { isOlderRelease, newestRelease } from './releases.ts'

describe('releases', () => {
  it('are compared as numbers, and a suffix does not count', () => {
    expect(isOlderRelease('0.9.0', '0.10.0')).to.equal(true)
    expect(isOlderRelease('0.10.0', '0.9.9')).to.equal(false)
    expect(isOlderRelease('1.0.0', '1.0.0')).to.equal(false)
    expect(isOlderRelease('1.0.0-rc.1', '1.0.0')).to.equal(false)
    expect(isOlderRelease('0.1.9', '1.0.0')).to.equal(true)
  })

  it('have a newest one', () => {
    expect(newestRelease(['0.2.0', '0.10.0', '0.9.1'])).to.equal('0.10.0')
    expect(newestRelease([])).to.equal(undefined)
  })
})
