import { LRUCache } from 'lru-cache'
import { refuse } from '#shared/kernel/refusals.ts'
import type { Milliseconds, Seconds } from '#shared/rules/units.ts'

/** For whom a hash is computed: the network it is asked from, and the account, as far as they are known. */
export type Askers = readonly string[]

const WAITING = 32
/** As many places at most for one asker, and for all together who have failed lately: the others find a place. */
const SHARE = WAITING / 2
/** So many failures count as guessing rather than mistyping. */
const FAILURES = 3
const FAILED_LATELY: Milliseconds = 15 * 60_000
const MOST_REMEMBERED = 10_000
const RETRY_AFTER: Seconds = 5

interface Waiting {
  askers: Askers
  isSuspect: boolean
  /** How many of the same asker waited when this one came. */
  rank: number
  start: () => void
}

/**
 * Work that takes a core for half a second: so many at once, a short queue, 429 beyond it. Askers who have not failed
 * lately go first, and everybody's first request before anybody's second.
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
    if (this.#running >= this.#atOnce) await this.#turn(askers)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#next()
      // The place goes from one to the next, so that nobody comes in between.
      if (next) next.start()
      else this.#running--
    }
  }

  noteFailure(askers: Askers) {
    for (const asker of askers) this.#failures.set(asker, (this.#failures.get(asker) ?? 0) + 1)
  }

  #turn(askers: Askers): Promise<void> {
    const isSuspect = askers.some(asker => (this.#failures.get(asker) ?? 0) >= FAILURES)
    const same = this.#waiting.filter(other => other.askers.some(asker => askers.includes(asker))).length
    const suspects = this.#waiting.filter(other => other.isSuspect).length
    const isFull = this.#waiting.length >= WAITING || same >= SHARE || (isSuspect && suspects >= SHARE)
    if (isFull) throw refuse.tooMany(RETRY_AFTER)
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

/** One core is left to requests, and three threads of the pool to files and name look-ups. */
export function hashesAtOnce(cores: number, threads: number): number {
  return Math.max(1, Math.min(cores - 1, threads - 3))
}
