import { hash } from 'node:crypto'
import { type DeltaName, hashOf, type StateHash } from '#shared/domain/deltas.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { type Block, deflatedBlock, storedBlock } from './gzip.ts'

/** The wire format of a stream (interface 6, Framing): text and bytes only, no socket, no store. */

/** Data is compact JSON without line breaks; only `messages` has a cursor. */
export function frame(event: EventName | DeltaName, payload: unknown, cursor?: Seconds): EncodedFrame {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  const data = JSON.stringify(payload)
  return new EncodedFrame(`${id}event: ${event}\ndata: ${data}\n\n`, data.length)
}

/** The reconnect delay. */
export const retry = (wait: Milliseconds) => new EncodedFrame(`retry: ${wait}\n\n`)

export const comment = (text: string) => new EncodedFrame(`: ${text}\n\n`)

/** UTF-16 units above which a stream keeps a frame's digest instead of its text. */
const LONG = 256
/** Bytes below which a frame is never deflated. */
const SHORT = 128
/** Bytes from which a frame is deflated even for a single stream. */
const WORTH_ALONE = 1_024

/** Bytes of a body, plain and as a chunk of a chunked HTTP/1.1 body (RFC 9112, 7.1). */
export interface Piece {
  plain: Buffer
  chunk: Buffer
}

/** An encoded frame, shared by all streams that receive it. Each coding is made on first use. */
export class EncodedFrame {
  readonly text: string
  /** Length of the data within the text. */
  readonly #dataLength: number
  #identity: Piece | undefined
  #stored: Coded | undefined
  #deflated: Coded | undefined
  #fingerprint: string | undefined
  #hash: StateHash | undefined
  #mayDeflate = true

  constructor(text: string, dataLength = 0) {
    this.text = text
    this.#dataLength = dataLength
  }

  /**
   * Disables compression. The frame combines texts from several sources: an observer who writes one of them could infer
   * another from the compressed length.
   */
  undeflated(): this {
    this.#mayDeflate = false
    return this
  }

  /** Equal only for equal frames of an event. Short, because each stream keeps one per event. */
  get fingerprint(): string {
    this.#fingerprint ??= this.text.length > LONG ? hash('sha1', this.text, 'base64') : this.text
    return this.#fingerprint
  }

  /** Hash of the data, as a tab computes it. */
  get hash(): StateHash {
    this.#hash ??= hashOf(this.text.slice(-2 - this.#dataLength, -2))
    return this.#hash
  }

  get identity(): Piece {
    this.#identity ??= piece(this.text)
    return this.#identity
  }

  /** Deflates a long frame for the first stream, any but a short one for the second. */
  get gzip(): Coded {
    if (this.#deflated) return this.#deflated
    const { plain } = this.identity
    const least = this.#stored ? SHORT : WORTH_ALONE
    if (this.#mayDeflate && plain.length >= least) {
      this.#deflated = coded(deflatedBlock(plain))
      return this.#deflated
    }
    this.#stored ??= coded(storedBlock(plain))
    return this.#stored
  }
}

export interface Coded extends Piece {
  block: Block
}

function coded(block: Block): Coded {
  return { block, ...piece(block.bytes) }
}

export function piece(content: string | Buffer): Piece {
  const size = Buffer.byteLength(content)
  const head = `${size.toString(16)}\r\n`
  const chunk = Buffer.allocUnsafe(head.length + size + 2)
  chunk.write(head, 0, 'latin1')
  if (typeof content === 'string') chunk.write(content, head.length, 'utf8')
  else content.copy(chunk, head.length)
  chunk.write('\r\n', head.length + size, 'latin1')
  return { chunk, plain: chunk.subarray(head.length, head.length + size) }
}

/** Ends a chunked body. */
export const LAST_CHUNK = '0\r\n\r\n'

/** The response head. Written here and not by Node, because frames go straight to the socket. */
export function head(chunked: boolean, gzip: boolean, date: Date, requestId: string): string {
  return [
    'HTTP/1.1 200 OK',
    'Content-Type: text/event-stream',
    'Cache-Control: no-cache',
    'X-Accel-Buffering: no',
    'X-Content-Type-Options: nosniff',
    'Connection: keep-alive',
    ...(chunked ? ['Transfer-Encoding: chunked'] : []),
    ...(gzip ? ['Content-Encoding: gzip', 'Vary: Accept-Encoding'] : []),
    `Date: ${date.toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    '\r\n',
  ].join('\r\n')
}

/** Reports whether an Accept-Encoding names gzip (RFC 9110, 12.5.3); `*` alone does not count. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some(coding => /^\s*(x-)?gzip\s*(;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*)\s*)?$/i.test(coding))
}
