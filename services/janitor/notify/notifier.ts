import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import { takesOutgoing } from '#shared/jobs/outgoing-job.ts'
import { log } from '#shared/runtime/log.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { claimDue } from './deliveries.ts'
import { type Claim, sendingHooks } from './hooks.ts'
import { expandEvents } from './outgoing-events.ts'
import { type Sending, sendDelivery } from './send-delivery.ts'

/** Between two rounds without work. */
const POLL: Milliseconds = 500
/** Requests of this janitor at once. */
const MOST_AT_ONCE = 32
/** The rest of the ten seconds is for the other parts; a delivery that is cut off is sent again after its lease. */
const STOP_WITHIN: Milliseconds = 5_000

/** Turns events into deliveries and sends them. Several janitors share the work; each may die at any line. */
export class Notifier {
  readonly name = 'notifier'
  readonly #stores: Stores
  readonly #sending: Sending
  readonly #stopping = new AbortController()
  readonly #inFlight = new Set<Promise<void>>()
  /** Ends the pause after a round: a place is free since that round began. */
  #freed = new AbortController()
  #loop: Promise<void> | undefined

  constructor(stores: Stores, sending: Sending) {
    this.#stores = stores
    this.#sending = sending
  }

  start() {
    this.#loop = this.#run()
  }

  async stop() {
    this.#stopping.abort()
    await this.#loop
    await Promise.race([Promise.all(this.#inFlight), pause(STOP_WITHIN, undefined, { ref: false })])
  }

  async #run() {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#freed = new AbortController()
      const done = await this.#round().catch(err => {
        if (!noteStoreFailure(err)) log.warn({ err }, 'notifier failed')
        return 0
      })
      const woken = AbortSignal.any([signal, this.#freed.signal])
      if (done === 0) await pause(POLL, undefined, { signal: woken }).catch(() => {})
    }
  }

  /** Returns the number of events and deliveries that it took. */
  async #round(): Promise<number> {
    const events = await expandEvents(this.#stores)
    const room = MOST_AT_ONCE - this.#inFlight.size
    // A claim that no worker sends would be given back at once, again and again.
    const claims = room > 0 && (await takesOutgoing(this.#stores)) ? await claimDue(this.#stores, room) : []
    if (claims.length > 0) {
      const hooks = await sendingHooks(this.#stores.db, [...new Set(claims.map(claim => claim.target_id))])
      for (const claim of claims) {
        const hook = hooks.get(claim.target_id)
        this.#send(() => sendDelivery(this.#stores, this.#sending, hook, claim), claim)
      }
    }
    return events + claims.length
  }

  #send(work: () => Promise<void>, { target_id: hook }: Claim) {
    const sending = work()
      // The delivery is due again when its lease ends.
      .catch(err => {
        if (!noteStoreFailure(err)) log.warn({ err, hook }, 'delivery not sent')
      })
      .finally(() => {
        this.#inFlight.delete(sending)
        this.#freed.abort()
      })
    this.#inFlight.add(sending)
  }
}
