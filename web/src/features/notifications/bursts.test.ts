import { expect } from 'chai'
import { newBursts } from './bursts.ts'

describe('several messages within ten seconds', () => {
  it('are counted together, and only the first alerts', () => {
    const bursts = newBursts()
    expect(bursts.add('dm:ada:bob', 1, 0)).to.deep.equal({ count: 1, isFirst: true })
    expect(bursts.add('dm:ada:bob', 1, 4_000)).to.deep.equal({ count: 2, isFirst: false })
    expect(bursts.add('dm:ada:bob', 2, 9_999)).to.deep.equal({ count: 4, isFirst: false })
  })

  it('start a new burst after ten seconds', () => {
    const bursts = newBursts()
    bursts.add('dm:ada:bob', 1, 0)
    expect(bursts.add('dm:ada:bob', 1, 10_000)).to.deep.equal({ count: 1, isFirst: true })
  })

  it('are counted per conversation and start again once read', () => {
    const bursts = newBursts()
    bursts.add('dm:ada:bob', 3, 0)
    expect(bursts.add('general', 1, 1)).to.deep.equal({ count: 1, isFirst: true })
    bursts.end('dm:ada:bob')
    expect(bursts.add('dm:ada:bob', 1, 2)).to.deep.equal({ count: 1, isFirst: true })
  })
})
