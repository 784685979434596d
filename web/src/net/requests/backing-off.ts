/** Repeats a request, more and more rarely while it finds no change. Independent of the browser. */
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Clock } from './clock.ts'

export interface BackingOffOptions {
  clock: Clock
  /** From 0 to 1. */
  random: () => number
  /** The pause after a change. Each request without one doubles it, to `most`. */
  least: Milliseconds
  most: Milliseconds
  /** Returns whether something has changed. Handles its failures. */
  request: () => Promise<boolean>
}

export class BackingOff {
  readonly #options: BackingOffOptions
  #pause: Milliseconds
  #cancel: (() => void) | undefined

  constructor(options: BackingOffOptions) {
    this.#options = options
    this.#pause = options.least
  }

  /** Sends the next request after the shortest pause at the latest. */
  start() {
    // Repeated calls must not postpone the request forever.
    if (this.#cancel && this.#pause === this.#options.least) return
    this.stop()
    this.#pause = this.#options.least
    this.#wait()
  }

  stop() {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #wait() {
    const { clock, random, least, most, request } = this.#options
    // Jitter: tabs that a message has reached together must not ask together.
    const cancel = clock.later(this.#pause * (0.8 + random() * 0.4), async () => {
      const hasChanged = await request()
      // Stopped or started anew meanwhile.
      if (this.#cancel !== cancel) return
      this.#pause = hasChanged ? least : Math.min(2 * this.#pause, most)
      this.#wait()
    })
    this.#cancel = cancel
  }
}
