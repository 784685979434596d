import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Time in which the event loop was busy since the process began. */
const busyTime = (): Milliseconds => performance.eventLoopUtilization().active

/**
 * Divides the busy time of the event loop among the requests at work: the shares of all requests add up to what the
 * process spent on them, parsing of rows, JSON and garbage collection included. Which request a callback works for is not
 * known at a bearable cost, so requests at work at once are charged alike.
 */
export class BusyShare {
  readonly #busyTime: () => Milliseconds
  #atWork = 0
  /** Share of a request that was at work since the process began. */
  #each: Milliseconds = 0
  #seen: Milliseconds

  constructor(now = busyTime) {
    this.#busyTime = now
    this.#seen = now()
  }

  /**
   * Returns a function that tells the share so far. A request is at work until its response is produced, except while it
   * waits for its client: for the rest of the body, and for room to write.
   */
  measure(req: IncomingMessage, res: ServerResponse): () => Milliseconds {
    let share: Milliseconds = 0
    let since: Milliseconds | undefined
    let isOver = false
    const start = () => {
      if (isOver || since !== undefined) return
      since = this.#advance(1)
    }
    const pause = () => {
      if (since === undefined) return
      share += this.#advance(-1) - since
      since = undefined
    }
    const end = () => {
      pause()
      isOver = true
    }
    if (req.complete) start()
    else req.once('end', start)
    const write = res.write.bind(res) as (...args: unknown[]) => boolean
    res.write = (...args: unknown[]) => {
      const hasRoom = write(...args)
      if (!hasRoom) pause()
      return hasRoom
    }
    res.on('drain', start)
    // Emitted within `end()`, when the last byte is handed over.
    res.once('prefinish', end)
    res.once('close', end)
    return () => (since === undefined ? share : share + this.#advance(0) - since)
  }

  #advance(change: number): Milliseconds {
    const now = this.#busyTime()
    if (this.#atWork > 0) this.#each += (now - this.#seen) / this.#atWork
    this.#seen = now
    this.#atWork += change
    return this.#each
  }
}
