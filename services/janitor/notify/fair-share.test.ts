import { expect } from 'chai'
import { fairShare } from './fair-share.ts'

describe('the fair share', () => {
  it('takes nothing from those who have less', () => {
    expect(fairShare([10, 2, 3], 9)).to.equal(4)
    expect(fairShare([10, 2, 10, 3], 15)).to.equal(5)
    expect(fairShare([7, 7], 8)).to.equal(4)
  })

  it('is unbounded while all fit', () => {
    expect(fairShare([], 5)).to.equal(Number.POSITIVE_INFINITY)
    expect(fairShare([2, 3], 5)).to.equal(Number.POSITIVE_INFINITY)
  })
})
