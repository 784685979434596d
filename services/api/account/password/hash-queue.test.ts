import { expect } from 'chai'
import type { HttpError } from '#shared/runtime/http-errors.ts'
import { HashQueue, hashesAtOnce } from './hash-queue.ts'

describe('the queue of password hashes', () => {
  /** Work that ends on demand, in the order in which it began. */
  function bench(atOnce = 1) {
    const queue = new HashQueue(atOnce)
    const began: string[] = []
    const ends: (() => void)[] = []
    const ask = (name: string, ...askers: string[]) =>
      queue
        .run(askers, () => {
          began.push(name)
          return new Promise<void>(resolve => ends.push(resolve))
        })
        .then(
          () => 'done',
          (err: unknown) => (err as HttpError).status,
        )
    const endOne = async () => {
      ends.shift()?.()
      await new Promise(resolve => setImmediate(resolve))
    }
    return { queue, began, ask, endOne }
  }

  it('limits concurrency so that a core and three threads stay free', () => {
    expect(hashesAtOnce(1, 4)).to.equal(1)
    expect(hashesAtOnce(2, 8)).to.equal(1)
    expect(hashesAtOnce(4, 8)).to.equal(3)
    expect(hashesAtOnce(64, 8)).to.equal(5)
    expect(hashesAtOnce(64, 4)).to.equal(1)
  })

  it('keeps places for other addresses while one address sends a burst', async () => {
    const { ask, endOne } = bench()
    const burst = Array.from({ length: 100 }, (_, i) => ask(`burst ${i}`, '192.0.2.1'))
    const other = ask('other', '192.0.2.2')
    for (let i = 0; i < 40; i++) await endOne()
    expect(await other).to.equal('done')
    const outcomes = await Promise.all(burst)
    expect(outcomes.filter(outcome => outcome === 429)).to.have.length(83)
  })

  it('serves the first request of every asker before second requests', async () => {
    const { ask, began, endOne } = bench()
    for (let i = 0; i < 5; i++) void ask(`a${i}`, 'a')
    void ask('b0', 'b')
    void ask('c0', 'c')
    for (let i = 0; i < 7; i++) await endOne()
    expect(began).to.deep.equal(['a0', 'a1', 'b0', 'c0', 'a2', 'a3', 'a4'])
  })

  it('keeps half of the places, and the next turn, for askers without recent failures', async () => {
    const { queue, ask, began, endOne } = bench()
    for (let i = 0; i < 3; i++) queue.noteFailure(['guessed account'])
    void ask('running', 'x')
    const guesses = Array.from({ length: 20 }, (_, i) => ask(`guess ${i}`, `network ${i}`, 'guessed account'))
    const clean = Array.from({ length: 16 }, (_, i) => ask(`clean ${i}`, `home ${i}`))
    for (let i = 0; i < 40; i++) await endOne()
    expect(await Promise.all(clean)).to.deep.equal(Array(16).fill('done'))
    expect((await Promise.all(guesses)).filter(outcome => outcome === 429)).to.have.length(4)
    expect(began.slice(1, 17)).to.deep.equal(Array.from({ length: 16 }, (_, i) => `clean ${i}`))
  })

  it('refuses everybody when it is full, and has room again afterwards', async () => {
    const { ask, endOne } = bench(2)
    const all = Array.from({ length: 60 }, (_, i) => ask(`${i}`, `network ${i}`))
    for (let i = 0; i < 40; i++) await endOne()
    expect((await Promise.all(all)).filter(outcome => outcome === 429)).to.have.length(60 - 34)
    const later = ask('later', 'x')
    await endOne()
    expect(await later).to.equal('done')
  })
})
