import type { Milliseconds } from '#shared/rules/units.ts'

/** Runs something once nothing has happened for a while. What happens in every frame sets no timer of its own each time. */
export class Quiet {
  readonly #run: () => void
  readonly #after: Milliseconds
  #last = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(after: Milliseconds, run: () => void) {
    this.#after = after
    this.#run = run
  }

  /** It has not been quiet for long enough. */
  get isAwaited() {
    return this.#timer !== undefined
  }

  /** Something happens. */
  disturb() {
    this.#last = performance.now()
    this.#timer ??= setTimeout(this.#look, this.#after)
  }

  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look = () => {
    const left = this.#last + this.#after - performance.now()
    this.#timer = left > 1 ? setTimeout(this.#look, left) : undefined
    if (!this.#timer) this.#run()
  }
}
