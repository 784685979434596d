/**
 * Supervisor of this tab's EventSource, which follows the open channel from its cursor. A stream that opens and stays
 * silent is held back by a proxy; one that is refused exceeds a limit. Then the client polls (polling.ts) and retries
 * the stream now and then. Independent of the browser; states: architecture 8.2.
 */
import type { Signal } from '@preact/signals'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import type { Report } from '../../store/reports.ts'
import type { Clock } from '../requests/clock.ts'
import type { Poller } from './polling.ts'

/** Streams end every few minutes by design and are back after three seconds: no notice for that. */
const LOST_AFTER: Milliseconds = 4_000
const DEAD_AFTER: Milliseconds = 30_000
const RECONNECTS_AFTER: Milliseconds = 3_000
/** The server evaluates everything on its first tick: a live stream has sent a frame by then. */
const SPEAKS_WITHIN: Milliseconds = 3_500
const GIVEN_UP_AFTER: Milliseconds = 10_000
/** On a network that drops packets silently no error is ever reported. */
const HANGS_AFTER: Milliseconds = 20_000
const TRIAL_PAUSES: Milliseconds[] = [15_000, 30_000, 60_000]
const LONGEST_TRIAL_PAUSE: Milliseconds = 120_000
/** Silence for this long is either normal or a dead connection. */
const QUIET_FOR: Milliseconds = 45_000
const FRAME_FOLLOWS: Milliseconds = 2_500
/** The server ends a stream after at most 360 seconds; an older one hangs at a proxy. */
const LONGEST_LIFE: Milliseconds = 375_000
/** Bounds reconnects after deltas that do not match. */
const MISFIT_RETRY: Milliseconds = 10_000
const CROWDED_RETRY: Milliseconds = 10_000
const CROWDED_POLL: Milliseconds = 5_000
const LONGEST_PAUSE: Milliseconds = 15_000
/** Removals are sent for a day (interface 4.1): after a longer absence rows are reloaded. */
const REMOVALS_KNOWN: Milliseconds = 20 * 3_600_000
const CHECK_INTERVAL: Milliseconds = 1_000
/** A gap between two checks that is longer means that the machine slept. */
const SLEPT_FOR: Milliseconds = 20_000

export interface StreamWorld {
  clock: Clock
  /** From 0 to 1. */
  random: () => number
  /** Opens a stream for the followed channel. */
  connect: (listener: StreamListener) => Connection
  /** Undefined while its rows are not loaded, or come from the cache: the stream would send the whole history. */
  followed: () => ChannelId | undefined
  poller: Pick<Poller, 'isActive' | 'start' | 'stop' | 'pollNow'>
  hasSession: () => boolean
  isHidden: () => boolean
  /** Requests the number of unread messages; undefined when the server does not respond. */
  requestUnread: () => Promise<number | undefined>
  /** The number of unread messages according to the stream. */
  streamUnread: () => number | undefined
  /** Requests the stream to see the status of its refusal. */
  requestStatus: () => Promise<number>
  /** All loaded rows are too old to be followed. */
  expireRows: () => void
  connection: Signal<'up' | 'lost' | 'dead' | 'crowded'>
  report: (outcome: Report) => void
}

export interface Connection {
  channel: ChannelId | undefined
  close(): void
}

export interface StreamListener {
  /** Frames of a stream that was replaced are dropped. */
  onFrame(apply: () => void): void
  /** `isRefused`: the response was not a stream. */
  onError(isRefused: boolean): void
}

/** `trial`: polling, and a stream that may replace it has been opened. */
export type StreamState = 'ended' | 'waiting' | 'opening' | 'live' | 'polling' | 'trial'

export class StreamSupervisor {
  readonly #world: StreamWorld
  #onBack = () => {}
  #stream: Connection | undefined
  /** Time at which this stream was opened, or sent its first frame. */
  #openedAt: Milliseconds = 0
  #hasSpoken = false
  /** Time of the last sign of life of the server. */
  #heardAt: Milliseconds
  #downSince: Milliseconds | undefined
  #checkedAt: Milliseconds = 0
  #reloadedAt: Milliseconds = Number.NEGATIVE_INFINITY
  #failures = 0
  #trials = 0
  #isProbing = false
  #cancelRetry = () => {}
  #cancelReload = () => {}

  constructor(world: StreamWorld) {
    this.#world = world
    this.#heardAt = world.clock.now()
  }

  get state(): StreamState {
    if (!this.#world.hasSession()) return 'ended'
    if (this.#hasSpoken) return 'live'
    if (this.#world.poller.isActive) return this.#stream ? 'trial' : 'polling'
    return this.#stream ? 'opening' : 'waiting'
  }

  /** `onBack` is called whenever the server is reachable again. */
  start(onBack: () => void) {
    this.#onBack = onBack
    this.#checkedAt = this.#world.clock.now()
    this.#scheduleCheck()
  }

  /** Follows another channel, or none. Opens no stream for it while polling. */
  follow() {
    if (this.#stream && this.#stream.channel === this.#world.followed()) return
    if (this.state === 'polling') this.#world.poller.pollNow()
    else this.#open()
  }

  reopen() {
    this.#failures = 0
    this.#trials = 0
    this.#open()
  }

  /** A frame is missing. */
  refresh() {
    if (this.#world.poller.isActive) this.#world.poller.pollNow()
    else this.reopen()
  }

  /** The tab is visible again. */
  wake() {
    if (this.#downSince !== undefined) this.reopen()
    else if (this.#world.poller.isActive) this.#world.poller.pollNow()
  }

  /** A delta did not match the state of this tab, which was dropped: a new stream sends it whole. */
  reload() {
    const { clock } = this.#world
    this.#cancelReload()
    const wait = Math.max(0, this.#reloadedAt + MISFIT_RETRY - clock.now())
    this.#cancelReload = clock.later(wait, () => {
      this.#reloadedAt = clock.now()
      if (this.#stream) this.#open()
    })
  }

  #open() {
    const { clock } = this.#world
    this.#cancelRetry()
    this.#close()
    if (!this.#world.hasSession()) return
    if (clock.now() - this.#heardAt > REMOVALS_KNOWN) this.#world.expireRows()
    const stream = this.#world.connect({
      onFrame: apply => {
        if (stream !== this.#stream) return
        if (!this.#hasSpoken) this.#speaks()
        this.#heardAt = clock.now()
        apply()
      },
      onError: isRefused => stream === this.#stream && this.#broken(stream, isRefused),
    })
    this.#stream = stream
    this.#openedAt = clock.now()
    this.#hasSpoken = false
    this.#isDown()
  }

  #close() {
    this.#stream?.close()
    this.#stream = undefined
  }

  #openAfter(pause: Milliseconds) {
    this.#cancelRetry()
    this.#cancelRetry = this.#world.clock.later(pause, () => this.#open())
  }

  #trialPause() {
    return TRIAL_PAUSES[this.#trials++] ?? LONGEST_TRIAL_PAUSE
  }

  /** Only received frames count: a proxy may open a stream and hold back its content. */
  #speaks() {
    this.#hasSpoken = true
    this.#openedAt = this.#world.clock.now()
    this.#trials = 0
    this.#world.poller.stop()
    this.#isBack()
    this.#world.connection.value = 'up'
  }

  #isBack() {
    this.#failures = 0
    this.#downSince = undefined
    this.#heardAt = this.#world.clock.now()
    this.#onBack()
  }

  #isDown() {
    if (!this.#world.poller.isActive) this.#downSince ??= this.#world.clock.now()
  }

  #broken(stream: Connection, isRefused: boolean) {
    this.#hasSpoken = false
    this.#isDown()
    if (isRefused) return void this.#refused(stream)
    // The browser would reconnect to the same address, with an outdated `known`.
    this.#close()
    this.#openAfter(RECONNECTS_AFTER * (0.8 + 0.4 * this.#world.random()))
  }

  /** EventSource gives up on any response but a stream: an ended session, too many tabs, a server error. */
  async #refused(stream: Connection) {
    const status = await this.#world.requestStatus()
    if (stream !== this.#stream || !this.#world.hasSession()) return
    this.#stream = undefined
    this.#failures++
    if (status === 429) {
      this.#poll('crowded', CROWDED_POLL)
      this.#openAfter(CROWDED_RETRY)
    } else if (this.#world.poller.isActive) {
      this.#openAfter(this.#trialPause())
    } else {
      this.#openAfter(Math.min(1_000 * 2 ** (this.#failures - 1), LONGEST_PAUSE))
    }
  }

  #poll(state: 'up' | 'crowded', interval?: Milliseconds) {
    this.#world.poller.start(isServerThere => {
      if (!isServerThere) {
        this.#downSince ??= this.#world.clock.now()
        return
      }
      if (this.#downSince !== undefined) this.#isBack()
      this.#heardAt = this.#world.clock.now()
      this.#world.connection.value = state
    }, interval)
  }

  #scheduleCheck() {
    this.#world.clock.later(CHECK_INTERVAL, () => {
      this.#scheduleCheck()
      this.#check()
    })
  }

  #check() {
    const now = this.#world.clock.now()
    const hasSlept = now - this.#checkedAt > SLEPT_FOR && !this.#world.isHidden()
    this.#checkedAt = now
    if (!this.#world.hasSession()) return
    if (hasSlept) return this.reopen()
    if (this.#stream) this.#checkStream(this.#stream, now)
    this.#showConnection(now)
  }

  #checkStream(stream: Connection, now: Milliseconds) {
    const age = now - this.#openedAt
    switch (this.state) {
      case 'live': {
        const isQuiet = now - this.#heardAt > QUIET_FOR && !this.#world.isHidden()
        if (age > LONGEST_LIFE) this.reopen()
        else if (isQuiet && !this.#isProbing) void this.#probe(stream)
        return
      }
      case 'trial':
        if (age < GIVEN_UP_AFTER) return
        this.#close()
        return this.#openAfter(this.#trialPause())
      case 'opening':
        if (age > HANGS_AFTER) this.#open()
        else if (age > SPEAKS_WITHIN && !this.#isProbing) void this.#suspect(stream)
        return
    }
  }

  /** The stream is silent from the start: polls if the server responds, since then the path is at fault. */
  async #suspect(stream: Connection) {
    const unread = await this.#requestUnread()
    if (unread !== undefined && stream === this.#stream && !this.#hasSpoken) this.#poll('up')
  }

  /** After a long silence: if the server's unread count differs from that of the stream, the stream is dead. */
  async #probe(stream: Connection) {
    this.#heardAt = this.#world.clock.now()
    const unread = await this.#requestUnread()
    if (stream !== this.#stream) return
    if (unread === undefined) return this.reopen()
    if (unread === this.#world.streamUnread()) return
    this.#world.clock.later(FRAME_FOLLOWS, () => {
      if (stream === this.#stream && unread !== this.#world.streamUnread()) this.reopen()
    })
  }

  async #requestUnread(): Promise<number | undefined> {
    this.#isProbing = true
    try {
      return await this.#world.requestUnread()
    } finally {
      this.#isProbing = false
    }
  }

  #showConnection(now: Milliseconds) {
    if (this.#downSince === undefined) return
    const { connection } = this.#world
    const down = now - this.#downSince
    if (down > DEAD_AFTER && connection.peek() !== 'dead') {
      connection.value = 'dead'
      this.#world.report({ what: 'connection-lost' })
    } else if (down > LOST_AFTER && (connection.peek() === 'up' || connection.peek() === 'crowded')) {
      connection.value = 'lost'
    }
  }
}
