/** Bounds the bytes that pieces of work hold in memory at once; further ones wait in their order. */
export class ByteBudget {
  readonly #most: number
  #left: number
  readonly #waiting: { bytes: number; start: () => void }[] = []

  constructor(most: number) {
    this.#most = most
    this.#left = most
  }

  /** Work of more bytes than all runs alone. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const held = Math.min(bytes, this.#most)
    if (this.#waiting.length > 0 || held > this.#left) {
      await new Promise<void>(start => this.#waiting.push({ bytes: held, start }))
    } else this.#left -= held
    try {
      return await work()
    } finally {
      this.#left += held
      this.#startWaiting()
    }
  }

  #startWaiting() {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#left; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#left -= next.bytes
      next.start()
    }
  }
}
