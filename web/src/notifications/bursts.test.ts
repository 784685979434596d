import { expect } from 'chai'
import { newBursts } from './bursts.ts'

describe('several messages within ten seconds', () => {
  it('are counted as one, and only the first calls', () => {
    const bursts = newBursts()
    expect(bursts.add('dm:ada:bob', 1, 0)).to.deep.equal({ count: 1, isFirst: true })
    expect(bursts.add('dm:ada:bob', 1, 4_000)).to.deep.equal({ count: 2, isFirst: false })
    expect(bursts.add('dm:ada:bob', 2, 9_999)).to.deep.equal({ count: 4, isFirst: false })
  })

  it('and from then on it begins again', () => {
    const bursts = newBursts()
    bursts.add('dm:ada:bob', 1, 0)
    expect(bursts.add('dm:ada:bob', 1, 10_000)).to.deep.equal({ count: 1, isFirst: true })
  })

  it('do not mix with those of another conversation, or with what was read', () => {
    const bursts = newBursts()
    bursts.add('dm:ada:bob', 3, 0)
    expect(bursts.add('general', 1, 1)).to.deep.equal({ count: 1, isFirst: true })
    bursts.end('dm:ada:bob')
    expect(bursts.add('dm:ada:bob', 1, 2)).to.deep.equal({ count: 1, isFirst: true })
  })
})
