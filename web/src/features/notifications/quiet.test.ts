import { expect } from 'chai'
import { newQuiet } from './quiet.ts'

const MINUTE = 60_000

describe('missed messages', () => {
  /** Polls every half minute, as an awake page does. */
  const awake = (quiet: ReturnType<typeof newQuiet>, from: number, to: number) => {
    for (let at = from; at < to; at += MINUTE / 2) quiet.isQuiet(at)
  }

  it('are not assumed during normal operation or after a short absence', () => {
    const quiet = newQuiet(0)
    awake(quiet, 0, 9 * MINUTE)
    quiet.connection(false, 9 * MINUTE)
    awake(quiet, 9 * MINUTE, 10 * MINUTE)
    quiet.connection(true, 10 * MINUTE)
    expect(quiet.isQuiet(10 * MINUTE)).to.equal(false)
  })

  it('arrive just after a long time without a connection', () => {
    const quiet = newQuiet(0)
    quiet.connection(false, 0)
    awake(quiet, 0, 5 * MINUTE)
    quiet.connection(true, 5 * MINUTE)
    expect(quiet.isQuiet(5 * MINUTE + 4_999)).to.equal(true)
    expect(quiet.isQuiet(5 * MINUTE + 5_000)).to.equal(false)
  })

  it('arrive just after sleep', () => {
    const quiet = newQuiet(0)
    expect(quiet.isQuiet(30 * MINUTE)).to.equal(true)
    expect(quiet.isQuiet(30 * MINUTE + 10_000)).to.equal(false)
  })

  it('arrive once a network is found after sleep, however long that takes', () => {
    const quiet = newQuiet(0)
    const wake = 30 * MINUTE
    expect(quiet.isQuiet(wake)).to.equal(true)
    quiet.connection(false, wake + 4_000)
    quiet.connection(true, wake + 40_000)
    expect(quiet.isQuiet(wake + 41_000)).to.equal(true)
    expect(quiet.isQuiet(wake + 46_000)).to.equal(false)
  })
})
