import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { log } from '#shared/kernel/log.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/rules/units.ts'
import { comment, head, LAST_CHUNK, type Packet, packet, retry } from './frames.ts'

/** Decisions, Event stream: a tab that does not read. */
const MOST_WAITING = 1024 * 1024
const DRAINS_WITHIN: Milliseconds = 20_000
/** Interface 6: reconnect delay. */
const RETRY: Milliseconds = 3_000

const HELLO = packet(retry(RETRY))
const KEEP_ALIVE = packet(comment('keep-alive'))

/** What a stream writes to; a Socket, or a test's stand-in. */
export type Outlet = Pick<
  Socket,
  'write' | 'end' | 'resetAndDestroy' | 'destroySoon' | 'destroyed' | 'writableLength' | 'once'
>

export interface Opened {
  viewer: Username
  /** The session that opened it: its end is the stream's end. */
  session: string
  /** The channel that the tab has open, in canonical form; whether the viewer may read it is asked at each evaluation. */
  channel: ChannelId | undefined
  cursor: Seconds
  /** HTTP/1.1: the body comes in chunks. */
  chunked: boolean
}

/** One tab: what it has seen, and the socket that leads to it. Ten thousand of these live at once, so it is small. */
export class Stream {
  readonly id = randomUUID()
  readonly viewer: Username
  readonly session: string
  readonly channel: ChannelId | undefined
  /** The greatest change time of the channel that this tab is past. */
  cursor: Seconds
  /** It began with nothing and has not come to the present yet: what was removed before is no news to it. */
  isFromStart: boolean
  /** When its lifetime is over, on the monotonic clock. */
  endsAt: Milliseconds = Infinity
  /** Called once it has drained and wants to see what it missed. */
  onDrained: (() => void) | undefined
  readonly #outlet: Outlet
  readonly #chunked: boolean
  /** The last frame of each event: a reference to a text that streams share, not a copy. */
  readonly #last: (string | undefined)[] = []
  #stalledSince: Milliseconds | undefined
  #missed = false
  #ended = false

  constructor(outlet: Outlet, opened: Opened) {
    this.#outlet = outlet
    this.viewer = opened.viewer
    this.session = opened.session
    this.channel = opened.channel
    this.cursor = opened.cursor
    this.isFromStart = opened.cursor <= 0
    this.#chunked = opened.chunked
  }

  open(date: Date) {
    const first = this.#chunked ? HELLO.chunk : HELLO.plain
    this.#outlet.write(Buffer.concat([Buffer.from(head(this.#chunked, date)), first]))
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#outlet.destroyed
  }

  /** It has not taken what it was given yet: nothing more is made for it, it will see the newest once it has drained. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined
  }

  /** A frame of any event but `messages`: written only if it differs from the last one (interface 6, rule 2). */
  show(place: number, shown: Packet) {
    if (this.isStalled) {
      this.#missed = true
      return
    }
    if (this.#last[place] === shown.text) return
    this.#last[place] = shown.text
    this.#write(shown)
  }

  /** A frame of `messages`; whoever sends it moves the cursor. */
  append(rows: Packet) {
    this.#write(rows)
  }

  /** There was something to send, and it was kept back. */
  miss() {
    this.#missed = true
  }

  keepAlive() {
    this.#write(KEEP_ALIVE)
  }

  /** The tab comes back: to another gateway, or with its cursor. */
  end() {
    if (!this.isOpen) return
    this.#ended = true
    if (this.#chunked) this.#outlet.end(LAST_CHUNK)
    this.#outlet.destroySoon()
  }

  /** Closes the stream of a tab that does not read. */
  dropIfStuck(now: Milliseconds) {
    if (this.#stalledSince !== undefined && now - this.#stalledSince >= DRAINS_WITHIN) this.#drop()
  }

  #write(bytes: Packet) {
    if (!this.isOpen) return
    const flushed = this.#outlet.write(this.#chunked ? bytes.chunk : bytes.plain)
    // A large frame says «not flushed» even when the system took all of it at once.
    if (flushed || this.#outlet.writableLength === 0) return
    if (this.#outlet.writableLength > MOST_WAITING) this.#drop()
    else if (this.#stalledSince === undefined) this.#stall()
  }

  /** Reset, so that the system does not keep for minutes what nobody reads. */
  #drop() {
    log.info(
      { viewer: this.viewer, waiting: this.#outlet.writableLength },
      'stream dropped: it does not read',
    )
    this.#outlet.resetAndDestroy()
  }

  #stall() {
    this.#stalledSince = performance.now()
    this.#outlet.once('drain', () => {
      this.#stalledSince = undefined
      if (!this.#missed || !this.isOpen) return
      this.#missed = false
      this.onDrained?.()
    })
  }
}
