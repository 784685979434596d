/** Signals of a call or a share, in both directions. While the server is away they wait and are retried. */
import type { SignalPayload, SignalType } from '#shared/domain/payloads/calls.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { type SignalPath, sendSignal, signalsAfter } from '../../net/requests/call-endpoints.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { after } from './timing.ts'

const EAGER: Milliseconds = 300
const CALM: Milliseconds = 1_500
const LONGEST_WAIT: Milliseconds = 5_000
/** Lifetime of signals on the server (interface 4.8). */
const WORTHLESS_AFTER: Milliseconds = 300_000

export interface Inbox {
  take: (signal: SignalPayload) => void
  /** True during a negotiation: then signals are polled often. */
  isEager: () => boolean
  /** The session is over, or no longer the viewer's. */
  onGone?: () => void
}

export class Signalling {
  readonly #of: SignalPath
  readonly #stopped = new AbortController()
  readonly #lanes = new Map<Username, Promise<void>>()
  #last = 0
  #wake: (() => void) | undefined

  constructor(of: SignalPath) {
    this.#of = of
  }

  /** Drops earlier signals: they were for a former session. */
  async skip() {
    try {
      for (;;) {
        const last = (await signalsAfter(this.#of, this.#last)).at(-1)
        if (!last) return
        this.#last = last.id
      }
    } catch (error) {
      // A person who is not in the call has no signals yet, and gets 403.
      if (!(error instanceof Failure) || error.status !== 403) throw error
    }
  }

  /** In order for each recipient; a slow recipient does not block the others. */
  send(to: Username, type: SignalType, payload: object) {
    const lane = this.#lanes.get(to) ?? Promise.resolve()
    this.#lanes.set(
      to,
      lane.then(() => this.#insist(to, type, payload)),
    )
    this.#wake?.()
  }

  async listen({ take, isEager, onGone }: Inbox) {
    let failures = 0
    while (!this.#stopped.signal.aborted) {
      try {
        const signals = await signalsAfter(this.#of, this.#last)
        failures = 0
        if (this.#stopped.signal.aborted) return
        for (const signal of signals) {
          if (signal.id <= this.#last) continue
          this.#last = signal.id
          take(signal)
        }
      } catch (error) {
        tolerateFailure(error)
        if (isFinal(error)) return onGone?.()
        failures++
      }
      await this.#pause(failures > 0 ? backOff(failures) : isEager() ? EAGER : CALM)
    }
  }

  /** A negotiation is about to begin: polls at once. */
  hurry() {
    this.#wake?.()
  }

  stop() {
    this.#stopped.abort()
    this.#wake?.()
  }

  async #insist(to: Username, type: SignalType, payload: object) {
    const begun = Date.now()
    for (let failures = 0; !this.#stopped.signal.aborted; ) {
      try {
        await sendSignal(this.#of, { to, type, payload })
        return
      } catch (error) {
        tolerateFailure(error)
        if (isFinal(error) || Date.now() - begun > WORTHLESS_AFTER) return
        await after(backOff(++failures), this.#stopped.signal)
      }
    }
  }

  async #pause(wait: Milliseconds) {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, wait)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }
}

/** Permanent refusals; any other failure means that the server is away or busy. */
export const isFinal = ({ status }: Failure) =>
  status >= 400 && status < 500 && status !== 408 && status !== 429

export const backOff = (failures: number) => Math.min(LONGEST_WAIT, 500 * 2 ** (failures - 1))
