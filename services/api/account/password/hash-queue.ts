import { LRUCache } from 'lru-cache'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'

/** Keys that a hash counts for: the client's network and the account, as far as known. */
export type Askers = readonly string[]

const WAITING = 32
/** Waiting places for one asker at most, and for all askers with recent failures together. */
const SHARE = WAITING / 2
/** Failures from which on an asker is treated as guessing. */
const FAILURES = 3
const FAILED_LATELY: Milliseconds = 15 * 60_000
const MOST_REMEMBERED = 10_000
const RETRY_AFTER: Seconds = 5

interface Waiting {
  askers: Askers
  isSuspect: boolean
  /** Requests of the same asker that were waiting on arrival. */
  rank: number
  start: () => void
}

/**
 * Runs password hashes (half a second of CPU each) with bounded concurrency and a short queue; 429 when it is full.
 * Askers without recent failures go first, then those with fewer requests waiting.
 */
export class HashQueue {
  readonly #atOnce: number
  #running = 0
  readonly #waiting: Waiting[] = []
  readonly #failures = new LRUCache<string, number>({ max: MOST_REMEMBERED, ttl: FAILED_LATELY })

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  async run<T>(askers: Askers, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#freeSlot(askers)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#next()
      // Hand the slot over directly, so that a new request cannot take it in between.
      if (next) next.start()
      else this.#running--
    }
  }

  noteFailure(askers: Askers) {
    for (const asker of askers) this.#failures.set(asker, (this.#failures.get(asker) ?? 0) + 1)
  }

  /** Resolves when a slot is handed over. */
  #freeSlot(askers: Askers): Promise<void> {
    const isSuspect = askers.some(asker => (this.#failures.get(asker) ?? 0) >= FAILURES)
    const same = this.#waiting.filter(other => other.askers.some(asker => askers.includes(asker))).length
    const suspects = this.#waiting.filter(other => other.isSuspect).length
    const isFull = this.#waiting.length >= WAITING || same >= SHARE || (isSuspect && suspects >= SHARE)
    if (isFull) throw errors.tooMany(RETRY_AFTER, 'sign_in_queue')
    return new Promise(resolve => this.#waiting.push({ askers, isSuspect, rank: same, start: resolve }))
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting.toSorted(
      (a, b) => Number(a.isSuspect) - Number(b.isSuspect) || a.rank - b.rank,
    )
    if (first) this.#waiting.splice(this.#waiting.indexOf(first), 1)
    return first
  }
}

/** Leaves one core to requests, and three threads of the pool to files and DNS. */
export function hashesAtOnce(cores: number, threads: number): number {
  return Math.max(1, Math.min(cores - 1, threads - 3))
}
