/** A screen of another person that this tab watches (interface 4.9). */
import { signal } from '@preact/signals'
import type { ScreensharePayload } from '#shared/domain/payloads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/failure.ts'
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
        this.#signalling.send(share.sharer, type, fresh ? { ...payload, fresh } : payload)
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
      take: row => void this.link.take(row),
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
