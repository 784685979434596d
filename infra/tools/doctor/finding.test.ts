import { expect } from 'chai'
import { whyNot } from './finding.ts'

describe('the reason of a failed examination', () => {
  it('says in words that nothing answered in time', () => {
    for (const message of ['timeout expired', 'Command timed out', 'Query read timeout'])
      expect(whyNot(new Error(message))).to.equal('no answer in time')
    expect(whyNot(new Error('fetch failed', { cause: new Error('timeout expired') }))).to.equal(
      'no answer in time',
    )
  })
})
