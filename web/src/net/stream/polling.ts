/**
 * Polling where no stream gets through: rounds of requests every few seconds. Independent of the browser; the requests
 * are in poll-requests.ts.
 */
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Clock } from '../requests/clock.ts'

const INTERVAL: Milliseconds = 3_000
const HIDDEN_INTERVAL: Milliseconds = 15_000
/** Payloads that are not urgent are polled every fourth round. */
const CALM_EVERY = 4

export interface PollerWorld {
  clock: Clock
  /** From 0 to 1. */
  random: () => number
  hasSession: () => boolean
  isHidden: () => boolean
  /** Requests all payloads. Returns whether the server responded. `isCalm`: also requests what is not urgent. */
  request: (isCalm: boolean) => Promise<boolean>
}

type OnRound = (isServerThere: boolean) => void

export class Poller {
  readonly #world: PollerWorld
  #running: { interval: Milliseconds; onRound: OnRound } | undefined
  #cancel = () => {}
  #round = 0
  #latest = 0

  constructor(world: PollerWorld) {
    this.#world = world
  }

  get isActive() {
    return this.#running !== undefined
  }

  /** Calls `onRound` after each round. While it is active, replaces interval and listener. */
  start(onRound: OnRound, interval = INTERVAL) {
    const isNew = !this.#running
    this.#running = { interval, onRound }
    if (isNew) this.pollNow()
  }

  stop() {
    this.#running = undefined
    this.#cancel()
  }

  pollNow() {
    this.#cancel()
    this.#round = 0
    void this.#poll()
  }

  async #poll() {
    const own = ++this.#latest
    const isThere = await this.#world.request(this.#round++ % CALM_EVERY === 0)
    // A newer round has begun, for example because another channel was opened.
    if (own !== this.#latest || !this.#running || !this.#world.hasSession()) return
    this.#running.onRound(isThere)
    const { interval } = this.#running
    const pause = this.#world.isHidden() ? Math.max(HIDDEN_INTERVAL, interval) : interval
    // Jitter: tabs that lost their streams together must not poll together.
    this.#cancel = this.#world.clock.later(
      pause * (0.8 + this.#world.random() * 0.4),
      () => void this.#poll(),
    )
  }
}
