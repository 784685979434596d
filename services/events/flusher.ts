import type { Milliseconds } from '#shared/rules/units.ts'
import type { Stream } from './stream.ts'

/** Frames of slower collections wait so long for others that go to the same stream. */
const ROUND: Milliseconds = 20

/** Has the frames of one round leave in one write a stream. */
export class Flusher {
  readonly #urgent = new Set<Stream>()
  readonly #waiting = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined

  /** The stream has frames; those of typing and messages take along what waits. */
  add(stream: Stream, isUrgent: boolean) {
    if (isUrgent) this.#urgent.add(stream)
    else {
      this.#waiting.add(stream)
      this.#timer ??= setTimeout(() => this.flushAll(), ROUND)
    }
  }

  /** After an answer was shown. */
  flushUrgent() {
    for (const stream of this.#urgent) {
      this.#waiting.delete(stream)
      stream.flush()
    }
    this.#urgent.clear()
  }

  /** Nothing more is on its way. */
  flushAll() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.flushUrgent()
    for (const stream of this.#waiting) stream.flush()
    this.#waiting.clear()
  }
}
