import { expect } from 'chai'
import { Flusher } from './flusher.ts'
import type { Stream } from './stream.ts'

const ROUND = 20

/** A stream that counts its writes and records their times. */
class Written {
  readonly at: number[] = []
  readonly stream = { flush: () => void this.at.push(performance.now()) } as unknown as Stream

  async until(writes: number) {
    while (this.at.length < writes) await new Promise(resolve => setTimeout(resolve, 1))
  }
}

describe('rounds of frames (architecture 5.1)', () => {
  let flusher: Flusher
  beforeEach(() => {
    flusher = new Flusher()
  })

  it('are written together when the last running evaluation ends', () => {
    const [ada, bob] = [new Written(), new Written()]
    flusher.add(ada.stream, false)
    flusher.add(ada.stream, false)
    flusher.add(bob.stream, true)
    flusher.flushAll()
    expect([ada.at.length, bob.at.length]).to.deep.equal([1, 1])
    flusher.flushAll()
    expect([ada.at.length, bob.at.length]).to.deep.equal([1, 1])
  })

  it('end after twenty milliseconds while evaluations go on, each with the frames made meanwhile', async () => {
    const [ada, bob] = [new Written(), new Written()]
    for (let round = 1; round <= 3; round++) {
      const since = performance.now()
      let isLate = false
      flusher.add(ada.stream, false)
      // Behind the timer of the round in the same queue of the event loop.
      setTimeout(() => {
        isLate = ada.at.length < round
      }, ROUND + 1)
      await new Promise(resolve => setTimeout(resolve, ROUND / 2))
      // Does not begin the round anew.
      flusher.add(bob.stream, false)
      flusher.flushUrgent()
      await ada.until(round)
      await bob.until(round)
      expect(isLate).to.equal(false)
      expect(ada.at.at(-1)! - since).to.be.at.least(ROUND - 2)
      expect(bob.at.at(-1)! - ada.at.at(-1)!).to.be.below(ROUND / 2 - 2)
    }
    expect([ada.at.length, bob.at.length]).to.deep.equal([3, 3])
  })

  it('do not delay messages and typing, which take the waiting frames of their stream along', async () => {
    const [ada, bob] = [new Written(), new Written()]
    flusher.add(ada.stream, false)
    flusher.add(bob.stream, false)
    flusher.add(ada.stream, true)
    flusher.flushUrgent()
    expect([ada.at.length, bob.at.length]).to.deep.equal([1, 0])
    await bob.until(1)
    expect(ada.at, 'not written again').to.have.length(1)
  })

  it('begin anew after a flush of everything', async () => {
    const [ada, bob] = [new Written(), new Written()]
    flusher.add(ada.stream, false)
    flusher.flushAll()
    flusher.add(bob.stream, false)
    await bob.until(1)
    expect(ada.at).to.have.length(1)
  })
})
