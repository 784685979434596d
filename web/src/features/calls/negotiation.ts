/**
 * Offers and answers of a connection: perfect negotiation with two additions. All steps are serialized, so that the
 * state of the connection reveals a collision of offers; and each answer names its offer, so that a late one is not
 * taken for an answer to the next.
 */

/** The part of RTCPeerConnection in use. */
export interface Line {
  readonly signalingState: RTCSignalingState
  readonly localDescription: RTCSessionDescription | null
  readonly remoteDescription: RTCSessionDescription | null
  setLocalDescription(): Promise<void>
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void>
}

/** The interface's SDP object plus the mark of the offer, which other clients omit. */
export interface Description {
  type: 'offer' | 'answer'
  sdp: string
  offer?: string
}

interface Options {
  /** Yields when both sides offer at once. */
  polite: boolean
  send: (description: Description) => void
  /** Waits briefly for the first candidates, so that they travel with the description. */
  gathered: () => Promise<void>
  /** Called between an offer and its answer, to add the own media. */
  beforeAnswer: () => Promise<void>
}

export class Negotiation {
  readonly #line: Line
  readonly #options: Options
  #tail: Promise<unknown> = Promise.resolve()
  #pending: Description | undefined
  #again = false
  #early: RTCIceCandidateInit[] = []
  /** A description is not sent yet: candidates found now are part of it. */
  isHolding = false

  constructor(line: Line, options: Options) {
    this.#line = line
    this.#options = options
  }

  /** While an offer waits for its answer, the next one is deferred. */
  offer(): Promise<void> {
    return this.#next(async () => {
      if (this.#line.signalingState !== 'stable') {
        this.#again = true
        return
      }
      this.#again = false
      const sdp = await this.#describe('offer')
      if (sdp === undefined) return
      this.#pending = { type: 'offer', sdp, offer: Math.random().toString(36).slice(2) }
      this.#options.send(this.#pending)
    })
  }

  /** Resends the pending offer, which may have been lost. */
  repeat() {
    if (this.#pending && this.#line.signalingState === 'have-local-offer') this.#options.send(this.#pending)
  }

  get isWaiting() {
    return this.#line.signalingState === 'have-local-offer'
  }

  /**
   * Returns `start over` when both sides offered before anything was agreed on: the polite side then answers with a
   * fresh connection, since its prepared media would be added to the offered ones.
   */
  take(description: Description): Promise<'taken' | 'ignored' | 'start over'> {
    return this.#next(async () => {
      if (description.type === 'answer') return this.#takeAnswer(description)
      return this.#takeOffer(description)
    })
  }

  candidate(candidate: RTCIceCandidateInit): Promise<void> {
    return this.#next(async () => {
      if (!this.#line.remoteDescription) this.#early.push(candidate)
      else await this.#add(candidate)
    })
  }

  async #takeAnswer(answer: Description) {
    if (!this.isWaiting) return 'ignored' as const
    if (answer.offer !== undefined && answer.offer !== this.#pending?.offer) return 'ignored' as const
    await this.#line.setRemoteDescription({ type: 'answer', sdp: answer.sdp })
    this.#pending = undefined
    await this.#addEarly()
    if (this.#again) void this.offer()
    return 'taken' as const
  }

  async #takeOffer(offer: Description) {
    if (this.#line.signalingState !== 'stable') {
      if (!this.#options.polite) return 'ignored' as const
      if (!this.#line.remoteDescription) return 'start over' as const
    }
    // Implicit rollback of the own offer.
    await this.#line.setRemoteDescription({ type: 'offer', sdp: offer.sdp })
    this.#pending = undefined
    await this.#addEarly()
    await this.#options.beforeAnswer()
    const sdp = await this.#describe('answer')
    const to = offer.offer === undefined ? {} : { offer: offer.offer }
    if (sdp !== undefined) this.#options.send({ type: 'answer', sdp, ...to })
    return 'taken' as const
  }

  async #describe(type: Description['type']): Promise<string | undefined> {
    this.isHolding = true
    try {
      await this.#line.setLocalDescription()
      await this.#options.gathered()
    } finally {
      this.isHolding = false
    }
    const { localDescription } = this.#line
    return localDescription?.type === type ? localDescription.sdp : undefined
  }

  async #addEarly() {
    for (const candidate of this.#early.splice(0)) await this.#add(candidate)
  }

  async #add(candidate: RTCIceCandidateInit) {
    try {
      await this.#line.addIceCandidate(candidate)
    } catch {
      // A candidate of an ignored or rolled-back offer: not needed.
    }
  }

  #next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(job)
    this.#tail = done.catch(() => {})
    return done
  }
}
