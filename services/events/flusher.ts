import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stream } from './stream.ts'

/** Non-urgent frames wait this long for others of the same stream. */
const ROUND: Milliseconds = 20

/** Batches the frames of a round into one write per stream. */
export class Flusher {
  readonly #urgent = new Set<Stream>()
  readonly #waiting = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined

  /** Registers a stream with queued frames. Urgent ones (typing, messages) take the waiting frames along. */
  add(stream: Stream, isUrgent: boolean) {
    if (isUrgent) this.#urgent.add(stream)
    else {
      this.#waiting.add(stream)
      this.#timer ??= setTimeout(() => this.flushAll(), ROUND)
    }
  }

  /** Called after each evaluation. */
  flushUrgent() {
    for (const stream of this.#urgent) {
      this.#waiting.delete(stream)
      stream.flush()
    }
    this.#urgent.clear()
  }

  /** Called when no evaluation is running. */
  flushAll() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.flushUrgent()
    for (const stream of this.#waiting) stream.flush()
    this.#waiting.clear()
  }
}
