import type { Milliseconds } from '#shared/domain/units.ts'

/** A sender in the same channel waits for one transaction. */
const LONG: Milliseconds = 100
const SHORT: Milliseconds = 40
const MOST = 200
const LEAST = 5

/** Rows per transaction: fewer after a slow one, since rows differ in cost by a factor of a hundred. */
export class Pace {
  size = 50

  async keep<T>(transaction: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await transaction()
    } finally {
      const took = performance.now() - began
      if (took > LONG) this.size = Math.max(LEAST, Math.floor(this.size / 2))
      else if (took < SHORT) this.size = Math.min(MOST, this.size * 2)
    }
  }
}
