import { setTimeout as pause } from 'node:timers/promises'
import { Counter } from 'prom-client'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'

export type StoreName = 'postgres' | 'redis' | 'files'

/** Interval of the probes during an outage. */
const PROBE_INTERVAL: Milliseconds = 1_000
/** An outage ends when a probe succeeds and nothing has failed for this long. */
const QUIET: Milliseconds = 1_000
/** A store that is away again within this time fails some commands only, such as a full disk: the quiet time grows. */
const SOON: Milliseconds = 60_000
const QUIET_GROWTH = 5

const failures = new Counter({
  name: 'bothy_store_failures_total',
  help: 'Calls of a store that failed because it is away or overloaded.',
  labelNames: ['store'],
})

/**
 * The outages of one store as this process sees them: one line `store away` with the first error and one line `store
 * back`, whatever number of calls fails in between. A store that comes and goes has at most three outages in 30 s.
 */
class Outages {
  readonly #store: StoreName
  /** Each rejects while the store is away. */
  readonly #probes = new Set<() => Promise<unknown>>()
  #began: Milliseconds | undefined
  #failedAt: Milliseconds = 0
  #failed = 0
  #endedAt: Milliseconds = -Infinity
  #quiet: Milliseconds = QUIET

  constructor(store: StoreName) {
    this.#store = store
    failures.labels(store).inc(0)
  }

  /** Returns the function that removes the probe. */
  addProbe(probe: () => Promise<unknown>): () => void {
    this.#probes.add(probe)
    return () => this.#probes.delete(probe)
  }

  get isAway(): boolean {
    return this.#began !== undefined
  }

  /** Counts a failed call; the first one of an outage is logged with `context`. */
  noteFailure(err: unknown, context: object = {}) {
    failures.labels(this.#store).inc()
    this.#failed++
    this.#failedAt = performance.now()
    if (this.#began !== undefined) return
    this.#began = this.#failedAt
    this.#quiet = this.#failedAt - this.#endedAt < SOON ? Math.min(this.#quiet * QUIET_GROWTH, SOON) : QUIET
    log.warn({ ...context, store: this.#store, err }, 'store away')
    void this.#awaitEnd(this.#began)
  }

  async #awaitEnd(began: Milliseconds) {
    let answeredAt: Milliseconds | undefined
    do {
      await pause(PROBE_INTERVAL, undefined, { ref: false })
      const asked = performance.now()
      const answered = await this.#answers()
      answeredAt = answered ? (answeredAt ?? asked) : undefined
    } while (answeredAt === undefined || performance.now() - this.#failedAt < this.#quiet)
    const end = Math.max(answeredAt, this.#failedAt)
    const facts = { store: this.#store, seconds: Math.round((end - began) / 100) / 10, failed: this.#failed }
    log.info(facts, 'store back')
    this.#began = undefined
    this.#failed = 0
    this.#endedAt = performance.now()
  }

  /** False without a probe: at the start nothing is known of the store but the failure. */
  async #answers(): Promise<boolean> {
    const results = await Promise.allSettled([...this.#probes].map(probe => probe()))
    return results.length > 0 && results.every(({ status }) => status === 'fulfilled')
  }
}

export const outages: Record<StoreName, Outages> = {
  postgres: new Outages('postgres'),
  redis: new Outages('redis'),
  /** Only a bucket: a folder is a part of the machine. */
  files: new Outages('files'),
}
