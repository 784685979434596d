import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { KeyedLimiter } from '#shared/runtime/keyed-limiter.ts'

/** Running jobs per key. More gain nothing, since the row lock admits one at a time. */
const AT_ONCE = 3
const MOST_WAITING = 200
/** Equals the lock time-out of statements. */
const LONGEST_WAIT: Milliseconds = 3_000

/**
 * Bounds the pool connections of this process that wait for the same row lock, so that a locked channel leaves
 * connections for the others. Throws a 503 if a job cannot start in time.
 */
export class RowLockQueues {
  readonly #limiter = new KeyedLimiter({
    mostWaiting: MOST_WAITING,
    longestWait: LONGEST_WAIT,
    refusal: () => errors.unavailable(),
  })

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#limiter.run([{ key, most: AT_ONCE }], work)
  }
}
