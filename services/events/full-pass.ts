import type { Watch } from './watch.ts'

/**
 * Full evaluations of the viewers' watches after lost notices. Two are at least as far apart as the first one took, so
 * that a gateway without notices does not keep the database busy all the time.
 */
export class FullPass {
  readonly #begin: () => Iterable<Watch>
  #startedAt = 0
  /** Undefined while none is under way. */
  #remaining: Set<Watch> | undefined
  #isRequestedAgain = false
  #timer: NodeJS.Timeout | undefined

  /** `begin` invalidates the viewers' watches and returns those to wait for. */
  constructor(begin: () => Iterable<Watch>) {
    this.#begin = begin
  }

  /** Starts a pass, or another one once the present one and its pause are over. */
  request() {
    if (this.#remaining) {
      this.#isRequestedAgain = true
      return
    }
    this.#startedAt = performance.now()
    this.#isRequestedAgain = false
    this.#remaining = new Set(this.#begin())
    this.#restIfComplete()
  }

  /** The watch was evaluated, or has no streams any more. */
  noteDone(watch: Watch) {
    if (this.#remaining?.delete(watch)) this.#restIfComplete()
  }

  stop() {
    clearTimeout(this.#timer)
  }

  /** Permits the next pass after a pause as long as this one took. */
  #restIfComplete() {
    if (this.#timer || this.#remaining?.size !== 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#remaining = undefined
      if (this.#isRequestedAgain) this.request()
    }, performance.now() - this.#startedAt)
  }
}
