/** A clock for unit tests: it stands still until the test moves it. */
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Clock } from './clock.ts'

export class TestClock implements Clock {
  #now: Milliseconds = 1_800_000_000_000
  #timers: { at: Milliseconds; run: () => void }[] = []

  now(): Milliseconds {
    return this.#now
  }

  later(delay: Milliseconds, run: () => void): () => void {
    const timer = { at: this.#now + delay, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(one => one !== timer)
    }
  }

  /** Runs all timers that fall due, in order, and all promises that they resolve. */
  async pass(time: Milliseconds) {
    const end = this.#now + time
    await settled()
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#now = Math.max(this.#now, next.at)
      this.#timers = this.#timers.filter(one => one !== next)
      next.run()
      await settled()
    }
    this.#now = end
  }

  /** The machine sleeps: time passes, and no timer runs. */
  sleep(time: Milliseconds) {
    this.#now += time
  }
}

/** Resolves after all promises that are ready to be settled. */
export const settled = () => new Promise<void>(resolve => setImmediate(resolve))
