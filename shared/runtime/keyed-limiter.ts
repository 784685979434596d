import type { Milliseconds } from '#shared/domain/units.ts'

/** At most `most` works with this key run at once. */
export interface Place {
  key: string
  most: number
}

/** Too many wait already, it was not its turn in time, or the process is stopping and another one must do it. */
export type WhyNoPlace = 'full' | 'late' | 'closing'

export class NoPlace extends Error {
  readonly why: WhyNoPlace

  constructor(why: WhyNoPlace) {
    super(`no place: ${why}`)
    this.why = why
  }
}

export interface KeyedLimits {
  /** Works that wait for a key at most. Default: any number. */
  mostWaiting?: number
  longestWait?: Milliseconds
  /** The error for a work that gets no place. */
  refusal?: (why: WhyNoPlace) => Error
}

interface Waiting {
  places: readonly Place[]
  leave(why?: WhyNoPlace): void
}

/**
 * Bounds the works that run at once by one or several keys each: an account, a channel, a host. Places go in order of
 * arrival; a work that waits for one key blocks none that need other keys. For a bound without keys use p-limit.
 */
export class KeyedLimiter {
  readonly #limits: Required<KeyedLimits>
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<Waiting>>()
  #isClosing = false

  constructor({
    mostWaiting = Infinity,
    longestWait = 0,
    refusal = why => new NoPlace(why),
  }: KeyedLimits = {}) {
    this.#limits = { mostWaiting, longestWait, refusal }
  }

  async run<T>(places: readonly Place[], work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw this.#limits.refusal('closing')
    if (this.#hasRoom(places)) this.#count(places, 1)
    else await this.#turn(places)
    try {
      return await work()
    } finally {
      this.#count(places, -1)
      for (const place of places) this.#admit(place)
    }
  }

  /** Refuses those that wait; running work continues. */
  close() {
    this.#isClosing = true
    for (const waiting of this.#waiting.values()) for (const waiter of waiting) waiter.leave('closing')
  }

  #hasRoom(places: readonly Place[]): boolean {
    return places.every(({ key, most }) => (this.#running.get(key) ?? 0) < most)
  }

  #count(places: readonly Place[], added: 1 | -1) {
    for (const { key } of places) {
      const count = (this.#running.get(key) ?? 0) + added
      if (count > 0) this.#running.set(key, count)
      else this.#running.delete(key)
    }
  }

  /** Resolves when the places are taken. */
  #turn(places: readonly Place[]): Promise<void> {
    const { mostWaiting, longestWait, refusal } = this.#limits
    if (places.some(({ key }) => (this.#waiting.get(key)?.size ?? 0) >= mostWaiting)) throw refusal('full')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.leave('late'), longestWait)
      const waiter: Waiting = {
        places,
        leave: why => {
          clearTimeout(timer)
          this.#forget(waiter)
          if (why) reject(refusal(why))
          else resolve()
        },
      }
      for (const { key } of places) this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(waiter))
    })
  }

  #forget(waiter: Waiting) {
    for (const { key } of waiter.places) {
      const waiting = this.#waiting.get(key)
      if (waiting?.delete(waiter) && waiting.size === 0) this.#waiting.delete(key)
    }
  }

  /** Hands the free places of a key to those that wait for it, so that no newcomer takes them in between. */
  #admit(place: Place) {
    for (const waiter of this.#waiting.get(place.key) ?? []) {
      if (!this.#hasRoom([place])) return
      if (!this.#hasRoom(waiter.places)) continue
      this.#count(waiter.places, 1)
      waiter.leave()
    }
  }
}
