/**
 * Link cards, each requested once and only while a message with it is on the screen, the most recent first. Stays below
 * the server's sixty a minute (interface 8) and backs off on request or on failure. Independent of the
 * browser.
 */
import { type Signal, signal } from '@preact/signals'
import type { LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Milliseconds } from '#shared/domain/units.ts'

/**
 * `retry`: pause the whole queue for so long; `late`: retry this address after so long; `failed`: exponential back-off.
 * `late` and server errors: three attempts for each address.
 */
export type Answer =
  | LinkPreviewPayload
  | { retry: Milliseconds }
  | { late: Milliseconds }
  | { failed: 'network' | 'server' }

export interface World {
  ask: (address: string) => Promise<Answer>
  now: () => Milliseconds
  later: (delay: Milliseconds, run: () => void) => void
  isOnline: () => boolean
}

/** Over HTTP/1.1 a browser opens six connections to a server, and the stream takes one. */
const AT_ONCE = 3
const MINUTE: Milliseconds = 60_000
const MOST_A_MINUTE = 50
const REMEMBERED = 500
const TRIES = 3
const FIRST_WAIT: Milliseconds = 2_000
const LONGEST_WAIT: Milliseconds = 60_000

interface Entry {
  card: Signal<LinkPreviewPayload | undefined>
  wanted: number
  isAsked: boolean
  tries: number
}

export class CardQueue {
  readonly #world: World
  readonly #entries = new Map<string, Entry>()
  readonly #waiting: string[] = []
  #sent: Milliseconds[] = []
  #asking = 0
  #pausedUntil: Milliseconds = 0
  #wakesAt: Milliseconds = Number.POSITIVE_INFINITY
  #nextWait = FIRST_WAIT

  constructor(world: World) {
    this.#world = world
  }

  /** Undefined while unknown; `{}` when the address has no card. */
  cardOf(address: string): Signal<LinkPreviewPayload | undefined> {
    return this.#entry(address).card
  }

  /** Returns the unsubscribe function. */
  want(address: string): () => void {
    const entry = this.#entry(address)
    if (entry.card.peek()) return () => {}
    entry.wanted++
    if (!entry.isAsked && entry.wanted === 1) this.#waiting.push(address)
    this.wake()
    let isOver = false
    return () => {
      if (!isOver) entry.wanted--
      isOver = true
    }
  }

  /** Sends the requests that the limits allow. */
  wake() {
    while (this.#asking < AT_ONCE && this.#waiting.length > 0 && this.#world.isOnline()) {
      const now = this.#world.now()
      const free = Math.max(this.#pausedUntil, this.#freeAt(now))
      if (free > now) return this.#wakeAt(free, now)
      const address = this.#waiting.pop()!
      const entry = this.#entry(address)
      if (entry.wanted > 0 && !entry.isAsked && !entry.card.peek()) void this.#ask(address, entry, now)
    }
  }

  async #ask(address: string, entry: Entry, now: Milliseconds) {
    this.#asking++
    this.#sent.push(now)
    entry.isAsked = true
    const answer = await this.#world.ask(address)
    this.#asking--
    if ('retry' in answer) {
      this.#again(address, entry, answer.retry)
    } else if ('late' in answer) {
      if (++entry.tries >= TRIES) entry.card.value = {}
      else this.#world.later(answer.late, () => this.#afresh(address, entry))
    } else if (!('failed' in answer)) {
      this.#nextWait = FIRST_WAIT
      entry.card.value = answer
    } else if (answer.failed === 'server' && ++entry.tries >= TRIES) {
      entry.card.value = {}
    } else {
      this.#again(address, entry, this.#nextWait)
      this.#nextWait = Math.min(this.#nextWait * 2, LONGEST_WAIT)
    }
    this.wake()
  }

  #again(address: string, entry: Entry, wait: Milliseconds) {
    entry.isAsked = false
    // Last in the queue: this address may be the cause of the failure.
    if (entry.wanted > 0) this.#waiting.unshift(address)
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#world.now() + wait)
  }

  /** Queues the address again if somebody still wants it. */
  #afresh(address: string, entry: Entry) {
    entry.isAsked = false
    if (entry.wanted > 0) this.#waiting.unshift(address)
    this.wake()
  }

  /** Time at which the last minute has room for another request. */
  #freeAt(now: Milliseconds): Milliseconds {
    this.#sent = this.#sent.filter(at => at > now - MINUTE)
    return this.#sent.length < MOST_A_MINUTE ? now : this.#sent[0]! + MINUTE
  }

  #wakeAt(at: Milliseconds, now: Milliseconds) {
    if (this.#wakesAt <= at) return
    this.#wakesAt = at
    this.#world.later(at - now, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  #entry(address: string): Entry {
    const known = this.#entries.get(address)
    // Moves the entry to the end: eviction begins with the least recently used.
    if (known) this.#entries.delete(address)
    const entry = known ?? { card: signal(undefined), wanted: 0, isAsked: false, tries: 0 }
    this.#entries.set(address, entry)
    if (!known && this.#entries.size > REMEMBERED) this.#forgetOne()
    return entry
  }

  #forgetOne() {
    for (const [address, { wanted, isAsked, card }] of this.#entries) {
      if (wanted > 0 || (isAsked && !card.peek())) continue
      this.#entries.delete(address)
      return
    }
  }
}
