import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { StateHash } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import {
  type Coded,
  comment,
  type EncodedFrame,
  head,
  LAST_CHUNK,
  type Piece,
  piece,
  retry,
} from './frames.ts'
import { addTo, GZIP_HEAD, gzipTail, type Sum } from './gzip.ts'

/** Bytes that may wait for a tab that does not read (interface 6). */
const MOST_WAITING = 1024 * 1024
const DRAINS_WITHIN: Milliseconds = 20_000
/** Interface 6: reconnect delay. */
const RETRY: Milliseconds = 3_000

/** Bytes above which frames are written one by one instead of copied together, so that streams share their buffers. */
const COPIED = 16 * 1024

const HELLO = retry(RETRY)
const KEEP_ALIVE = comment('keep-alive')
const GZIP_BEGIN = piece(GZIP_HEAD)

/** The part of a Socket that a stream uses. */
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

export interface StreamOptions {
  viewer: Username
  /** The session, or the key of the token, that opened the stream; the stream ends with it. */
  session: string
  /** Opened by a token that is limited to channels: only frames of the channel, and of people. */
  isLimited?: boolean
  /** The tab's open channel, in canonical form; each evaluation checks whether the viewer may read it. */
  channel: ChannelId | undefined
  cursor: Seconds
  /** HTTP/1.1: the body is chunked. */
  chunked: boolean
  gzip: boolean
  /** Delta events that replace the interface's. */
  deltas: ReadonlySet<string>
  /** Hashes of the states and payloads that the tab already has, by event. */
  known: ReadonlyMap<string, StateHash>
}

/** A tab's connection and the state that it has received. Small, because ten thousand of them live at once. */
export class Stream {
  readonly id = randomUUID()
  readonly viewer: Username
  readonly session: string
  readonly isLimited: boolean
  readonly channel: ChannelId | undefined
  /** The tab has received the channel's changes up to this time. */
  cursor: Seconds
  /** The tab started from the beginning and has not caught up yet: it needs no tombstones. */
  isFromStart: boolean
  /** End of its lifetime, on the monotonic clock. */
  endsAt: Milliseconds = Infinity
  /** Called after a drain when frames were skipped. */
  onDrained: (() => void) | undefined
  readonly deltas: ReadonlySet<string>
  /** Entries are removed as the first frames are sent. */
  readonly known: Map<string, StateHash>
  readonly #outlet: Outlet
  readonly #chunked: boolean
  /** Checksum and length of the body until now; undefined when not compressed. */
  readonly #sum: Sum | undefined
  /** The fingerprint of the last frame of each event, or the hash of the state after it. */
  readonly #last: (string | undefined)[] = []
  /** Frames for the next flush. */
  #queue: (Piece | Coded)[] = []
  #stalledSince: Milliseconds | undefined
  #missed = false
  #ended = false

  constructor(outlet: Outlet, opened: StreamOptions) {
    this.#outlet = outlet
    this.viewer = opened.viewer
    this.session = opened.session
    this.isLimited = opened.isLimited ?? false
    this.channel = opened.channel
    this.cursor = opened.cursor
    this.isFromStart = opened.cursor <= 0
    this.#chunked = opened.chunked
    this.deltas = opened.deltas
    this.known = new Map(opened.known)
    this.#sum = opened.gzip ? { crc: 0, length: 0 } : undefined
  }

  open(date: Date, requestId: string) {
    const parts: Buffer[] = [Buffer.from(head(this.#chunked, this.#sum !== undefined, date, requestId))]
    if (this.#sum) parts.push(this.#chunked ? GZIP_BEGIN.chunk : GZIP_BEGIN.plain)
    parts.push(this.#bytesOf(this.#codingOf(HELLO)))
    this.#outlet.write(Buffer.concat(parts))
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#outlet.destroyed
  }

  /** Earlier bytes have not been sent yet: no frames are made for it until it drains. */
  get isStalled(): boolean {
    return this.#stalledSince !== undefined
  }

  /** Returns the fingerprint last passed to `show` or `skip` for this event. */
  last(eventIndex: number): string | undefined {
    return this.#last[eventIndex]
  }

  /**
   * Queues a frame of any event but `messages`, unless its fingerprint equals the last one (interface 6, rule 2). Returns the
   * bytes queued.
   */
  show(eventIndex: number, frame: EncodedFrame, fingerprint = frame.fingerprint): number {
    if (this.isStalled) {
      this.#missed = true
      return 0
    }
    if (this.#last[eventIndex] === fingerprint) return 0
    this.#last[eventIndex] = fingerprint
    return this.append(frame)
  }

  /** Records that the tab already has the payload of this fingerprint. */
  skip(eventIndex: number, fingerprint: string) {
    this.#last[eventIndex] = fingerprint
  }

  /** Queues a frame of `messages`; the caller moves the cursor. */
  append(rows: EncodedFrame): number {
    const queued = this.#codingOf(rows)
    this.#queue.push(queued)
    return queued.plain.length
  }

  /** Records that a frame was skipped. */
  miss() {
    this.#missed = true
  }

  keepAlive() {
    this.append(KEEP_ALIVE)
    this.flush()
  }

  /** Writes all queued frames at once. */
  flush() {
    if (this.#queue.length === 0) return
    const frames = this.#queue
    this.#queue = []
    if (!this.isOpen) return
    // Only earlier bytes count: a large frame is not the reader's fault.
    if (this.#outlet.writableLength > MOST_WAITING) return this.#drop()
    if (this.#write(frames.map(queued => this.#bytesOf(queued)))) return
    // `write` returns false for a large frame even when the system took all of it.
    if (this.#outlet.writableLength > 0 && this.#stalledSince === undefined) this.#stall()
  }

  /** Ends the body properly; the tab reconnects with its cursor. */
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

  #codingOf(frame: EncodedFrame): Piece | Coded {
    return this.#sum ? frame.gzip : frame.identity
  }

  #bytesOf(queued: Piece | Coded): Buffer {
    if (this.#sum && 'block' in queued) addTo(this.#sum, queued.block)
    return this.#chunked ? queued.chunk : queued.plain
  }

  /** Writes with one system call. Returns whether more may follow at once. */
  #write(parts: Buffer[]): boolean {
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    if (parts.length === 1) return this.#outlet.write(parts[0]!)
    if (size <= COPIED) return this.#outlet.write(Buffer.concat(parts, size))
    this.#outlet.cork()
    for (const part of parts) this.#outlet.write(part)
    this.#outlet.uncork()
    return this.#outlet.writableLength === 0
  }

  /** Resets the connection, so that the system does not keep unread bytes for minutes. */
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
