/**
 * Offers and answers of one connection: perfect negotiation, with two things of our own. Everything happens one after the
 * other, so that who made an offer at the same time can be read from the connection's state; and an answer says which
 * offer it is to, so that a late one is not taken for an answer to the next.
 */

/** What is used of an RTCPeerConnection. */
export interface Line {
  readonly signalingState: RTCSignalingState
  readonly localDescription: RTCSessionDescription | null
  readonly remoteDescription: RTCSessionDescription | null
  setLocalDescription(): Promise<void>
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void>
}

/** The interface's SDP object, with the offer's mark; other clients do without. */
export interface Description {
  type: 'offer' | 'answer'
  sdp: string
  offer?: string
}

interface Options {
  /** Gives way when both offer at once. */
  polite: boolean
  send: (description: Description) => void
  /** Waits a moment for the first candidates, so that they travel with the description. */
  gathered: () => Promise<void>
  /** An offer is known, and not answered yet: the time to put one's own media in. */
  beforeAnswer: () => Promise<void>
}

export class Negotiation {
  readonly #line: Line
  readonly #options: Options
  #tail: Promise<unknown> = Promise.resolve()
  #pending: Description | undefined
  #again = false
  #early: RTCIceCandidateInit[] = []
  /** A description is made and not sent yet: candidates that are found now are in it. */
  isHolding = false

  constructor(line: Line, options: Options) {
    this.#line = line
    this.#options = options
  }

  /** While an offer waits for its answer, another one is made after that. */
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

  /** The same offer once more, for one that seems to have been lost on the way. */
  repeat() {
    if (this.#pending && this.#line.signalingState === 'have-local-offer') this.#options.send(this.#pending)
  }

  get isWaiting() {
    return this.#line.signalingState === 'have-local-offer'
  }

  /**
   * Answers `start over` when both have offered before anything was agreed on: then the polite one answers with a fresh
   * connection, since what this one has prepared would come on top of what the other offers.
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
    // Takes back an offer of one's own.
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
      // Of an offer that was ignored or taken back: the connection knows nothing of it, and needs nothing of it.
    }
  }

  #next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(job)
    this.#tail = done.catch(() => {})
    return done
  }
}
