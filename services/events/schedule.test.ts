import { expect } from 'chai'
import { backOff, dueAt, lifetime, nextPeriodicEvaluation, type Timing } from './schedule.ts'
import { notQueued, type TimerEntry, TimerQueue } from './timer-queue.ts'

const MIN = 500

/** Evaluated at 10,000, unchanged since. */
const timing = (since: Partial<Timing> = {}): Timing => ({
  evaluatedAt: 10_000,
  isDirty: false,
  changesAt: undefined,
  nextPeriodicAt: 35_000,
  retryAt: undefined,
  ...since,
})

describe('a watch is due (interface 6)', () => {
  it('at once when it was never evaluated', () => {
    expect(dueAt(timing({ evaluatedAt: -Infinity, isDirty: true }), MIN)).to.equal(-Infinity)
  })

  it('as soon as it is invalidated, when the minimum interval has passed', () => {
    expect(dueAt(timing({ isDirty: true }), MIN)).to.be.at.most(12_000)
  })

  it('exactly when the minimum interval has passed, when it is invalidated before: the invalidation is not dropped', () => {
    expect(dueAt(timing({ isDirty: true }), MIN)).to.equal(10_500)
  })

  it('when time alone changes the payload', () => {
    expect(dueAt(timing({ changesAt: 14_000 }), MIN)).to.equal(14_000)
  })

  it('not before the minimum interval has passed, even if time changes the payload earlier', () => {
    expect(dueAt(timing({ changesAt: 10_010 }), MIN)).to.equal(10_500)
  })

  it('periodically, when no notice invalidates it', () => {
    expect(dueAt(timing(), MIN)).to.equal(35_000)
  })

  it('not before its retry time, after a failure', () => {
    expect(dueAt(timing({ isDirty: true, retryAt: 11_600 }), MIN)).to.equal(11_600)
    expect(dueAt(timing({ isDirty: true, retryAt: 10_100 }), MIN)).to.equal(10_500)
  })
})

describe('the periodic evaluation', () => {
  it('comes after 17.5 to thirty seconds', () => {
    for (const random of [0, 0.001, 0.5, 0.999]) {
      expect(nextPeriodicEvaluation(10_000, random, 440) - 10_000).to.be.within(17_500, 30_000)
    }
  })

  it('falls on few moments, so that many watches share a query', () => {
    const times = new Set<number>()
    for (let i = 0; i < 1_000; i++) times.add(nextPeriodicEvaluation(123_000 + i, i / 1_000, 440))
    expect(times.size).to.be.at.most(6)
    for (const time of times) expect(time % 2_500).to.equal(440)
  })
})

describe('a collection that fails', () => {
  it('is retried after 0.1 s, then twice as long, up to two seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(backOff)).to.deep.equal([100, 200, 400, 800, 1_600, 2_000, 2_000])
  })
})

describe('the timer queue', () => {
  interface Named extends TimerEntry {
    name: string
  }
  const entry = (name: string): Named => ({ name, ...notQueued() })
  let time: number
  let fired: string[]
  let queue: TimerQueue<Named>

  beforeEach(() => {
    time = 0
    fired = []
    queue = new TimerQueue<Named>(
      () => time,
      due => fired.push(due.map(({ name }) => name).join('+')),
    )
  })
  afterEach(() => queue.stop())
  const turn = () => new Promise(resolve => setImmediate(resolve))

  it('reports entries that are due together in one batch', async () => {
    queue.set(entry('a'), 0)
    queue.set(entry('b'), 0)
    queue.set(entry('c'), 5_000)
    await turn()
    expect(fired).to.deep.equal(['a+b'])
    expect(queue.size).to.equal(1)
  })

  it('moves an entry that is set again, and drops one that is removed', async () => {
    const [a, b] = [entry('a'), entry('b')]
    queue.set(a, 9_000)
    queue.set(b, 9_000)
    queue.set(a, 0)
    queue.remove(b)
    await turn()
    expect(fired).to.deep.equal(['a'])
    expect(queue.size).to.equal(0)
  })

  it('keeps a thousand randomly moved entries in order', () => {
    const entries = Array.from({ length: 1_000 }, (_, i) => entry(String(i)))
    for (const one of entries) queue.set(one, 1_000 + Math.random() * 1_000)
    for (let i = 0; i < 5_000; i++) {
      const one = entries[Math.floor(Math.random() * entries.length)]!
      if (Math.random() < 0.2) queue.remove(one)
      else queue.set(one, 1_000 + Math.random() * 1_000)
    }
    const left = entries.filter(one => one.heapIndex >= 0).sort((a, b) => a.due - b.due)
    expect(queue.size).to.equal(left.length)
    for (const one of left) {
      expect(one.heapIndex).to.equal(0)
      queue.remove(one)
    }
  })
})

describe('the life of a stream (interface 6, 8)', () => {
  it('lasts 300 seconds and up to 60 more', () => {
    expect([0, 0.5, 1].map(lifetime)).to.deep.equal([300_000, 330_000, 360_000])
  })
})
