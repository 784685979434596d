/** A screen that this tab shares (interface 4.9): the sharer accepts every viewer. */
import type { SignalPayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import { activeShares, stopShare } from '../../net/requests/call-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Link } from './link.ts'
import { persistently } from './persistently.ts'
import { Signalling } from './signalling.ts'
import { after } from './timing.ts'

const TICK: Milliseconds = 250
/** Interval at which the sharer checks that the share still exists: another tab may have stopped it. */
const CHECKED_EVERY: Milliseconds = 5_000
/** A viewer who closes the window does not say goodbye. */
const FORGOTTEN_AFTER: Milliseconds = 30_000

interface Watcher {
  link: Link
  downSince: number | undefined
}

export class OwnShare {
  readonly id: string
  readonly channel: ChannelId
  readonly #track: MediaStreamTrack
  readonly #signalling: Signalling
  /** By name and session: a person may watch in several tabs. */
  readonly #watchers = new Map<string, Watcher>()
  readonly #onEnd: () => void
  readonly #stopped = new AbortController()

  constructor(channel: ChannelId, id: string, track: MediaStreamTrack, onEnd: () => void) {
    this.channel = channel
    this.id = id
    this.#track = track
    this.#onEnd = onEnd
    this.#signalling = new Signalling(`screenshare/${id}`)
    const { signal } = this.#stopped
    track.addEventListener('ended', () => this.stop(), { signal })
    addEventListener('pagehide', () => void stopShare(id, true).catch(tolerateFailure), { signal })
    void this.#signalling.listen({
      take: row => void this.#take(row),
      // A viewer may come at any time, and should not wait.
      isEager: () => [...this.#watchers.values()].some(({ link }) => !link.isSettled),
      onGone: () => this.#end(),
    })
    void this.#check()
    const timer = setInterval(() => this.#tick(), TICK)
    signal.addEventListener('abort', () => clearInterval(timer))
  }

  stop() {
    if (this.#stopped.signal.aborted) return
    this.#end()
    void persistently(() => stopShare(this.id))
  }

  #end() {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    this.#signalling.stop()
    this.#track.stop()
    for (const { link } of this.#watchers.values()) link.close()
    this.#onEnd()
  }

  async #take(row: SignalPayload) {
    const { session, fresh } = row.payload
    const key = `${row.from} ${typeof session === 'string' ? session : ''}`
    // A viewer's first offer has `fresh`; another one with it means that the viewer has started over.
    if (row.type === 'offer' && fresh === true) {
      this.#watchers.get(key)?.link.close()
      this.#watchers.delete(key)
    }
    const known = this.#watchers.get(key)
    if (!known && row.type !== 'offer') return
    const { link } = known ?? this.#welcome(key, row.from, session)
    await link.take(row)
  }

  #welcome(key: string, name: Username, session: unknown): Watcher {
    const link: Link = new Link({
      polite: true,
      send: (type, payload) =>
        this.#signalling.send(name, type, session === undefined ? payload : { ...payload, for: session }),
      beforeAnswer: async () => {
        const [line] = link.pc.getTransceivers()
        if (!line) return
        line.direction = 'sendonly'
        await line.sender.replaceTrack(this.#track)
      },
    })
    const watcher = { link, downSince: undefined }
    this.#watchers.set(key, watcher)
    return watcher
  }

  #tick() {
    const now = performance.now()
    for (const [key, watcher] of this.#watchers) {
      watcher.link.tick()
      watcher.downSince = watcher.link.isUp ? undefined : (watcher.downSince ?? now)
      if (now - (watcher.downSince ?? now) < FORGOTTEN_AFTER) continue
      watcher.link.close()
      this.#watchers.delete(key)
    }
  }

  async #check() {
    while (!this.#stopped.signal.aborted) {
      await after(CHECKED_EVERY, this.#stopped.signal)
      try {
        const active = await activeShares(this.channel)
        if (!active.some(({ share_id }) => share_id === this.id)) this.#end()
      } catch (error) {
        tolerateFailure(error)
      }
    }
  }
}
