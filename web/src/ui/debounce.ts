import type { Milliseconds } from '#shared/domain/units.ts'

/** Runs a function `after` ms without a call. Frequent calls reuse one timer. */
export class Debounce {
  readonly #run: () => void
  readonly #after: Milliseconds
  #last = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(after: Milliseconds, run: () => void) {
    this.#after = after
    this.#run = run
  }

  get isPending() {
    return this.#timer !== undefined
  }

  call() {
    this.#last = performance.now()
    this.#timer ??= setTimeout(this.#look, this.#after)
  }

  cancel() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look = () => {
    const left = this.#last + this.#after - performance.now()
    this.#timer = left > 1 ? setTimeout(this.#look, left) : undefined
    if (!this.#timer) this.#run()
  }
}
