import { expect } from 'chai'
import { forgetRevision, isOutdated } from './sidebar-revision.ts'

describe('the order of payloads of the own sidebar', () => {
  beforeEach(forgetRevision)

  it('leaves out a frame that is older than the response to a change', () => {
    expect(isOutdated(4)).to.equal(false)
    expect(isOutdated(5), 'the response').to.equal(false)
    expect(isOutdated(4), 'a frame on its way before').to.equal(true)
    expect(isOutdated(5), 'the next frame').to.equal(false)
  })

  it('takes any state of a new stream, as after a restored backup', () => {
    isOutdated(9)
    forgetRevision()
    expect(isOutdated(2)).to.equal(false)
  })

  it('takes payloads without a revision, as of servers of before', () => {
    isOutdated(9)
    expect(isOutdated(undefined)).to.equal(false)
    expect(isOutdated(8)).to.equal(true)
  })
})
