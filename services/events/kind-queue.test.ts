import { expect } from 'chai'
import { KindQueue } from './kind-queue.ts'
import { newWatch, type Watch } from './watch.ts'
import { allKinds } from './watch-kinds.ts'

describe('the queue of a kind', () => {
  const kindOf = (per: string) => allKinds().find(kind => kind.per === per)!
  const watchesOf = (per: string, ...keys: string[]) => keys.map(key => newWatch(kindOf(per), key))
  const ended = () => new Promise(setImmediate)

  /** A queue whose evaluations end on demand, and the keys of each. */
  function bench(per: string) {
    const batches: string[][] = []
    const ends: (() => void)[] = []
    const queue = new KindQueue(kindOf(per), (watches: Watch[]) => {
      batches.push(watches.map(({ key }) => key))
      return new Promise(resolve => ends.push(resolve))
    })
    const endOne = async () => {
      ends.shift()!()
      await ended()
    }
    return { queue, batches, endOne }
  }

  it('runs one query about viewers at a time; those due meanwhile share the next', async () => {
    const { queue, batches, endOne } = bench('viewer')
    void queue.add(watchesOf('viewer', 'ada', 'bob'))
    void queue.add(watchesOf('viewer', 'cleo'))
    void queue.add(watchesOf('viewer', 'dora'))
    expect(batches).to.deep.equal([['ada', 'bob']])
    await endOne()
    expect(batches).to.deep.equal([
      ['ada', 'bob'],
      ['cleo', 'dora'],
    ])
    await endOne()
    void queue.add(watchesOf('viewer', 'emil'))
    expect(batches).to.have.length(3)
  })

  it('evaluates channels at once, each by itself', () => {
    const { queue, batches } = bench('channel')
    void queue.add(watchesOf('channel', 'general', 'random'))
    expect(batches).to.deep.equal([['general'], ['random']])
  })

  it('has one meter per form for all viewers, and one per channel', () => {
    const isShared = (per: string) => {
      const { queue } = bench(per)
      const form = kindOf(per).plain[0]!
      const [first, second] = [1, 2].map(() => queue.meterOf(form))
      return first === second
    }
    expect(isShared('viewer')).to.equal(true)
    expect(isShared('channel')).to.equal(false)
  })

  it('retries after a failure, and halves the query after a time-out', () => {
    const { queue } = bench('viewer')
    const [watch] = watchesOf('viewer', 'ada')
    queue.noteFailure(
      [{ watch: watch!, due: [], newSubscribers: [], reads: 'full' }],
      Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    )
    expect(watch).to.include({ failures: 1, timeouts: 1 })
    expect(watch!.retryAt).to.be.above(performance.now())
    queue.noteSuccess([watch!])
    expect(watch).to.deep.include({ failures: 0, timeouts: 0, retryAt: undefined })
  })
})
