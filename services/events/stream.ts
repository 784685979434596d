import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { log } from '#shared/kernel/log.ts'
import type { StateHash } from '#shared/rules/deltas.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/rules/units.ts'
import { type Coded, comment, head, LAST_CHUNK, type Packet, type Piece, piece, retry } from './frames.ts'
import { addTo, GZIP_HEAD, gzipTail, type Sum } from './gzip.ts'

/** Decisions, Event stream: a tab that does not read. */
const MOST_WAITING = 1024 * 1024
const DRAINS_WITHIN: Milliseconds = 20_000
/** Interface 6: reconnect delay. */
const RETRY: Milliseconds = 3_000

/** Frames that are larger together are written one by one, so that streams share their bytes until they are sent. */
const COPIED = 16 * 1024

const HELLO = retry(RETRY)
const KEEP_ALIVE = comment('keep-alive')
const GZIP_BEGIN = piece(GZIP_HEAD)

/** What a stream writes to; a Socket, or a test's stand-in. */
export type Outlet = Pick<
  Socket,
  | 'write'
  | 'cork'
  | 'uncork'
  | 'end'
  | 'resetAndDestroy'
  | 'destroySoon'
  | 'destroyed'
  | 'writableLength'
  | 'once'
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
  gzip: boolean
  /** The delta events that it asked for in place of the interface's. */
  deltas: ReadonlySet<string>
  /** The hashes of the states and payloads that the tab has already, by event. */
  known: ReadonlyMap<string, StateHash>
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
  readonly deltas: ReadonlySet<string>
  /** Emptied as the first frames are sent. */
  readonly known: Map<string, StateHash>
  readonly #outlet: Outlet
  readonly #chunked: boolean
  /** What the body has decoded to until now; undefined: it is not compressed. */
  readonly #sum: Sum | undefined
  /** The mark of the last frame of each event, or the hash of the state after it. */
  readonly #last: (string | undefined)[] = []
  /** Frames that leave with the next flush. */
  #queue: (Piece | Coded)[] = []
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
    this.deltas = opened.deltas
    this.known = new Map(opened.known)
    this.#sum = opened.gzip ? { crc: 0, length: 0 } : undefined
  }

  open(date: Date) {
    const parts: Buffer[] = [Buffer.from(head(this.#chunked, this.#sum !== undefined, date))]
    if (this.#sum) parts.push(this.#chunked ? GZIP_BEGIN.chunk : GZIP_BEGIN.plain)
    parts.push(this.#bytesOf(this.#codingOf(HELLO)))
    this.#outlet.write(Buffer.concat(parts))
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#outlet.destroyed
  }

  /** It has not taken what it was given yet: nothing more is made for it, it will see the newest once it has drained. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined
  }

  /** What was last shown at this place: `mark` of `show` and `showAs`. */
  last(place: number): string | undefined {
    return this.#last[place]
  }

  /**
   * A frame of any event but `messages`, for the next flush: only if its mark differs from the last one (interface 6,
   * rule 2). Returns the bytes it will take.
   */
  show(place: number, shown: Packet, mark = shown.mark): number {
    if (this.isStalled) {
      this.#missed = true
      return 0
    }
    if (this.#last[place] === mark) return 0
    this.#last[place] = mark
    return this.append(shown)
  }

  /** The tab has the payload of this mark already. */
  skip(place: number, mark: string) {
    this.#last[place] = mark
  }

  /** A frame of `messages`, for the next flush; the caller moves the cursor. */
  append(rows: Packet): number {
    const queued = this.#codingOf(rows)
    this.#queue.push(queued)
    return queued.plain.length
  }

  /** There was something to send, and it was kept back. */
  miss() {
    this.#missed = true
  }

  keepAlive() {
    this.append(KEEP_ALIVE)
    this.flush()
  }

  /** Writes all frames that wait, at once. */
  flush() {
    if (this.#queue.length === 0) return
    const frames = this.#queue
    this.#queue = []
    if (!this.isOpen) return
    // Counts only what waited before: a large frame is no fault of its reader.
    if (this.#outlet.writableLength > MOST_WAITING) return this.#drop()
    if (this.#write(frames.map(queued => this.#bytesOf(queued)))) return
    // A large frame says "not flushed" even when the system took all of it at once.
    if (this.#outlet.writableLength > 0 && this.#stalledSince === undefined) this.#stall()
  }

  /** The tab comes back: to another gateway, or with its cursor. */
  end() {
    if (!this.isOpen) return
    this.flush()
    if (!this.isOpen) return
    this.#ended = true
    if (this.#sum) {
      const tail = piece(gzipTail(this.#sum))
      this.#outlet.write(this.#chunked ? tail.chunk : tail.plain)
    }
    if (this.#chunked) this.#outlet.end(LAST_CHUNK)
    this.#outlet.destroySoon()
  }

  /** Closes the stream of a tab that does not read. */
  dropIfStuck(now: Milliseconds) {
    if (this.#stalledSince !== undefined && now - this.#stalledSince >= DRAINS_WITHIN) this.#drop()
  }

  #codingOf(packet: Packet): Piece | Coded {
    return this.#sum ? packet.gzip : packet.identity
  }

  #bytesOf(queued: Piece | Coded): Buffer {
    if (this.#sum && 'block' in queued) addTo(this.#sum, queued.block)
    return this.#chunked ? queued.chunk : queued.plain
  }

  /** In one system call. Returns whether more may follow at once. */
  #write(parts: Buffer[]): boolean {
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    if (parts.length === 1) return this.#outlet.write(parts[0]!)
    if (size <= COPIED) return this.#outlet.write(Buffer.concat(parts, size))
    this.#outlet.cork()
    for (const part of parts) this.#outlet.write(part)
    this.#outlet.uncork()
    return this.#outlet.writableLength === 0
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
