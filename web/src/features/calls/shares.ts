/** Standalone screen shares (interface 4.9): the sharer accepts every viewer. */
import { signal } from '@preact/signals'
import type { ScreensharePayload, SignalPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import { NoMedia, openScreen } from '../../common/media-devices.ts'
import { strings } from '../../i18n/i18n.ts'
import * as server from '../../net/call-endpoints.ts'
import { Failure } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { Link } from './link.ts'
import { conversationShown, minimised, ownShare, shares, watched } from './open-calls.ts'
import { backOff, isFinal, Signalling } from './signalling.ts'
import { ROOM_FOR_BOTH, tell } from './start-call.ts'
import { after } from './timing.ts'

const TICK: Milliseconds = 250
/** Interval at which the sharer checks that the share still exists: another tab may have stopped it. */
const CHECKED_EVERY: Milliseconds = 5_000
/** A viewer who closes the window does not say goodbye. */
const FORGOTTEN_AFTER: Milliseconds = 30_000
const TOLD_FOR: Milliseconds = 60_000

export async function shareScreen(channel: ChannelId) {
  try {
    const track = await openScreen()
    if (!track) return
    ownShare.peek()?.stop()
    try {
      const { share_id } = await server.startShare(channel)
      ownShare.value = new OwnShare(channel, share_id, track)
    } catch (error) {
      track.stop()
      throw error
    }
  } catch (error) {
    if (error instanceof NoMedia) tell(error, () => void shareScreen(channel))
    else if (error instanceof Failure) showToast(strings.shares.notBegun, { icon: 'alert' })
    else throw error
  }
}

export function watch(share: ScreensharePayload) {
  watched.peek()?.close()
  minimised.value = true
  conversationShown.value = innerWidth > ROOM_FOR_BOTH
  watched.value = new WatchedShare(share)
}

/** Stops a share that another tab or device of this person has begun, or this tab before a reload. */
export async function stopOwn(share: string) {
  if (ownShare.peek()?.id === share) return ownShare.peek()?.stop()
  await insist(() => server.stopShare(share))
}

interface Watcher {
  link: Link
  downSince: number | undefined
}

export class OwnShare {
  readonly id: string
  readonly channel: ChannelId
  readonly #track: MediaStreamTrack
  readonly #signalling: Signalling
  readonly #watchers = new Map<Username, Watcher>()
  readonly #stopped = new AbortController()

  constructor(channel: ChannelId, id: string, track: MediaStreamTrack) {
    this.channel = channel
    this.id = id
    this.#track = track
    this.#signalling = new Signalling(`screenshare/${id}`)
    const { signal } = this.#stopped
    track.addEventListener('ended', () => this.stop(), { signal })
    addEventListener('pagehide', () => void server.stopShare(id, true).catch(tolerateFailure), { signal })
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
    void insist(() => server.stopShare(this.id))
  }

  #end() {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    this.#signalling.stop()
    this.#track.stop()
    for (const { link } of this.#watchers.values()) link.close()
    if (ownShare.peek() === this) ownShare.value = undefined
  }

  async #take(row: SignalPayload) {
    // The first offer of a viewer brings a mark; a different mark means that the viewer has started over.
    const isAnew = row.type === 'offer' && row.payload['fresh'] === true
    if (isAnew) {
      this.#watchers.get(row.from)?.link.close()
      this.#watchers.delete(row.from)
    }
    const known = this.#watchers.get(row.from)
    if (!known && row.type !== 'offer') return
    const { link } = known ?? this.#welcome(row.from)
    await link.take(row)
  }

  #welcome(name: Username): Watcher {
    const link: Link = new Link({
      polite: true,
      send: (type, payload) => this.#signalling.send(name, type, payload),
      beforeAnswer: async () => {
        const [line] = link.pc.getTransceivers()
        if (!line) return
        line.direction = 'sendonly'
        await line.sender.replaceTrack(this.#track)
      },
    })
    const watcher = { link, downSince: undefined }
    this.#watchers.set(name, watcher)
    return watcher
  }

  #tick() {
    const now = performance.now()
    for (const [name, watcher] of this.#watchers) {
      watcher.link.tick()
      watcher.downSince = watcher.link.isUp ? undefined : (watcher.downSince ?? now)
      if (now - (watcher.downSince ?? now) < FORGOTTEN_AFTER) continue
      watcher.link.close()
      this.#watchers.delete(name)
    }
  }

  async #check() {
    while (!this.#stopped.signal.aborted) {
      await after(CHECKED_EVERY, this.#stopped.signal)
      try {
        const active = await server.activeShares(this.channel)
        if (!active.some(({ share_id }) => share_id === this.id)) this.#end()
      } catch (error) {
        tolerateFailure(error)
      }
    }
  }
}

export class WatchedShare {
  readonly share: ScreensharePayload
  readonly screen = signal<MediaStream | undefined>(undefined)
  readonly link: Link
  readonly #signalling: Signalling
  readonly #stopped = new AbortController()

  constructor(share: ScreensharePayload) {
    this.share = share
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
    if (watched.peek() === this) watched.value = undefined
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

/** The viewer's own shares, also those from other devices. */
export const isOwn = ({ sharer }: ScreensharePayload) => sharer === viewer

async function insist(request: () => Promise<unknown>) {
  for (let failures = 0, begun = Date.now(); Date.now() - begun < TOLD_FOR; ) {
    try {
      await request()
      return
    } catch (error) {
      tolerateFailure(error)
      if (isFinal(error)) return
      await after(backOff(++failures))
    }
  }
}
