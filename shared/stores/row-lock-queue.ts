import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'

/** Running jobs per key. More gain nothing, since the row lock admits one at a time. */
const AT_ONCE = 3
const MOST_WAITING = 200
/** Equals the lock time-out of statements. */
const LONGEST_WAIT: Milliseconds = 3_000

interface Queue {
  running: number
  waiting: (() => void)[]
}

/**
 * Bounds the pool connections of this process that wait for the same row lock, so that a locked channel leaves
 * connections for the others. Throws a 503 if a job cannot start in time.
 */
export class RowLockQueues {
  readonly #queues = new Map<string, Queue>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    this.#queues.set(key, queue)
    if (queue.running < AT_ONCE) queue.running++
    else await admission(queue)
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) this.#queues.delete(key)
    }
  }
}

function admission({ waiting }: Queue): Promise<void> {
  if (waiting.length >= MOST_WAITING) throw errors.unavailable()
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(errors.unavailable())
    }, LONGEST_WAIT)
    waiting.push(go)
  })
}
