/** A screen of another person that this tab watches (interface 4.9). */
import { signal } from '@preact/signals'
import type { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { shares } from '../../store/calls.ts'
import { showToast } from '../../ui/feedback.ts'
import { Link } from './link.ts'
import { Signalling } from './signalling.ts'

const TICK: Milliseconds = 250

export class WatchedShare {
  readonly share: ScreensharePayload
  readonly screen = signal<MediaStream | undefined>(undefined)
  readonly link: Link
  readonly #signalling: Signalling
  readonly #onClose: () => void
  /** Identifies this tab among the viewer's tabs and devices: the sharer has a connection for each. */
  readonly #session = crypto.getRandomValues(new Uint32Array(2)).join('-')
  readonly #stopped = new AbortController()

  constructor(share: ScreensharePayload, onClose: () => void) {
    this.share = share
    this.#onClose = onClose
    this.#signalling = new Signalling(`screenshare/${share.share_id}`)
    let isFirst = true
    this.link = new Link({
      polite: false,
      send: (type, payload) => {
        const fresh = type === 'offer' && isFirst
        if (type === 'offer') isFirst = false
        // `fresh` is for sharers of an earlier release, who do not know `session`.
        const session = this.#session
        this.#signalling.send(share.sharer, type, { ...payload, session, ...(fresh ? { fresh } : {}) })
      },
    })
    this.link.pc.addEventListener('track', ({ track }) => {
      this.screen.value = new MediaStream([track])
    })
    this.link.pc.addTransceiver('video', { direction: 'recvonly' })
    const timer = setInterval(() => this.#tick(), TICK)
    this.#stopped.signal.addEventListener('abort', () => clearInterval(timer))
    void this.#begin()
  }

  close() {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    this.#signalling.stop()
    this.link.close()
    this.#onClose()
  }

  async #begin() {
    // Drops signals of an earlier session.
    await this.#signalling.skip().catch(tolerateFailure)
    void this.#signalling.listen({
      take: row => {
        const { for: wanted } = row.payload
        if (wanted === undefined || wanted === this.#session) void this.link.take(row)
      },
      isEager: () => !this.link.isSettled,
      onGone: () => this.#over(),
    })
    await this.link.offer()
  }

  #tick() {
    this.link.tick()
    const { channel, share_id } = this.share
    const active = shares.peek().get(channel)
    if (active && !active.some(one => one.share_id === share_id)) this.#over()
  }

  #over() {
    if (this.#stopped.signal.aborted) return
    this.close()
    showToast(strings.shares.isOver(this.share.sharer), { icon: 'screen' })
  }
}
