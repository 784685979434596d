/** A connection to another person, kept alive: of a call, or between a sharer and a viewer. */
import { signal } from '@preact/signals'
import type { SignalPayload, SignalType } from '#shared/domain/payloads/calls.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { tolerate } from '../../store/device/tolerate.ts'
import { config } from '../../store/store.ts'
import { type Description, Negotiation } from './negotiation.ts'
import { type Path, pathOf, restartsBy } from './path.ts'

/**
 * Candidates of the same network are found by then and travel with the offer: fewer signals, and no wait for a slow
 * STUN server.
 */
const GATHERING: Milliseconds = 150
/** An offer or its answer was lost, or the other side has started over. */
const UNANSWERED: Milliseconds = 8_000

export interface LinkOptions {
  polite: boolean
  send: (type: SignalType, payload: object) => void
  beforeAnswer?: () => Promise<void>
}

export class Link {
  readonly pc: RTCPeerConnection
  readonly path = signal<Path>('new')
  readonly #negotiation: Negotiation
  readonly #polite: boolean
  #downSince = performance.now()
  #wasUp = false
  #restarts = 0
  #offeredAt = 0

  constructor({ polite, send, beforeAnswer }: LinkOptions) {
    this.#polite = polite
    this.pc = new RTCPeerConnection({ iceServers: config.peek().ice_servers })
    this.#negotiation = new Negotiation(this.pc, {
      polite,
      send: description => send(description.type, description),
      gathered: () => gathered(this.pc),
      beforeAnswer: async () => beforeAnswer?.(),
    })
    this.pc.addEventListener('icecandidate', ({ candidate }) => {
      // Candidates found before the description is sent are part of it.
      if (candidate?.candidate && !this.#negotiation.isHolding) send('ice_candidate', candidate.toJSON())
    })
    this.pc.addEventListener('connectionstatechange', () => this.tick())
  }

  get isUp() {
    return this.pc.connectionState === 'connected'
  }

  get isSettled() {
    return this.isUp && !this.#negotiation.isWaiting
  }

  offer() {
    this.#offeredAt = performance.now()
    return this.#negotiation.offer().catch(ignoreClosed)
  }

  /** Returns `start over` when the caller shall take the signal with a fresh link. */
  async take({ type, payload }: Pick<SignalPayload, 'type' | 'payload'>) {
    try {
      if (type !== 'ice_candidate') return await this.#negotiation.take(payload as unknown as Description)
      await this.#negotiation.candidate(payload as RTCIceCandidateInit)
    } catch (error) {
      // An invalid signal of another client, or the page is closing. The connection stays and shows its state.
      ignoreClosed(error)
    }
    return 'taken' as const
  }

  /** Checks the connection, and restarts ICE when it is due. */
  tick() {
    const now = performance.now()
    if (this.isUp) {
      this.#wasUp = true
      this.#restarts = 0
      this.#downSince = now
    }
    const downFor = now - this.#downSince
    this.path.value = pathOf(this.isUp, this.#wasUp, downFor)
    if (this.pc.connectionState === 'closed') return
    if (this.#negotiation.isWaiting) {
      if (now - this.#offeredAt > UNANSWERED) {
        this.#offeredAt = now
        this.#negotiation.repeat()
      }
    } else if (this.pc.remoteDescription && restartsBy(downFor, this.#polite) > this.#restarts) {
      this.restart()
    }
  }

  /** Restarts ICE; the present path, if any, stays in use meanwhile. */
  restart() {
    if (!this.pc.remoteDescription || this.pc.connectionState === 'closed') return
    this.#restarts++
    this.pc.restartIce()
    void this.offer()
  }

  close() {
    this.pc.close()
  }
}

function gathered(pc: RTCPeerConnection): Promise<void> {
  if (pc.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      pc.removeEventListener('icegatheringstatechange', look)
      resolve()
    }
    const look = () => pc.iceGatheringState === 'complete' && done()
    const timer = setTimeout(done, GATHERING)
    pc.addEventListener('icegatheringstatechange', look)
  })
}

function ignoreClosed(error: unknown) {
  tolerate(error, DOMException, TypeError)
}
