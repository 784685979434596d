import type { Milliseconds } from '#shared/domain/units.ts'

export interface BatchOptions {
  /** Ids of a request. */
  most: number
  /** Ids that are wanted within this time are asked for together. */
  gather: Milliseconds
}

/** Asks for many ids by few requests. `ask` handles its failures. */
export class Batches {
  readonly #ask: (ids: number[]) => Promise<void>
  readonly #options: BatchOptions
  /** Each id is asked for once at a time. */
  readonly #underWay = new Map<number, Promise<void>>()
  #waiting: number[] = []
  #sent: Promise<void> | undefined

  constructor(ask: (ids: number[]) => Promise<void>, options: BatchOptions) {
    this.#ask = ask
    this.#options = options
  }

  /** Resolves when the request is over. */
  want(id: number): Promise<void> {
    const known = this.#underWay.get(id)
    if (known) return known
    this.#waiting.push(id)
    this.#sent ??= new Promise(resolve => setTimeout(resolve, this.#options.gather)).then(() => this.#send())
    const over = this.#sent.finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, over)
    return over
  }

  async #send() {
    const ids = this.#waiting
    this.#waiting = []
    this.#sent = undefined
    const requests: Promise<void>[] = []
    for (let at = 0; at < ids.length; at += this.#options.most)
      requests.push(this.#ask(ids.slice(at, at + this.#options.most)))
    await Promise.all(requests)
  }
}
