import { hash } from 'node:crypto'
import { type DeltaName, hashOf, type StateHash } from '#shared/rules/deltas.ts'
import type { EventName } from '#shared/rules/payloads.ts'
import type { Milliseconds, Seconds } from '#shared/rules/units.ts'
import { type Block, deflatedBlock, storedBlock } from './gzip.ts'

/** The wire format of a stream (interface 6, Framing): text and bytes only, no socket, no store. */

/** Data is compact JSON, which contains no line break; a cursor only `messages` has. */
export function frame(event: EventName | DeltaName, payload: unknown, cursor?: Seconds): Packet {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  const data = JSON.stringify(payload)
  return new Packet(`${id}event: ${event}\ndata: ${data}\n\n`, data.length)
}

/** How long a tab waits before it comes back. */
export const retry = (wait: Milliseconds) => new Packet(`retry: ${wait}\n\n`)

export const comment = (text: string) => new Packet(`: ${text}\n\n`)

/** Above this a stream remembers a digest of a frame instead of its text. */
const LONG = 256
/** A shorter frame is not worth deflating, however many streams get it. */
const SHORT = 128
/** A frame for one stream is worth deflating from here on. */
const WORTH_ALONE = 1_024

/** Some bytes of a body, on their own and as one chunk of a chunked HTTP/1.1 body (RFC 9112, 7.1). */
export interface Piece {
  plain: Buffer
  chunk: Buffer
}

/** A frame: made once, in each coding when a stream first needs it, written to every stream that gets it. */
export class Packet {
  readonly text: string
  /** How much of the text is data: all but the end. */
  readonly #dataLength: number
  #identity: Piece | undefined
  #stored: Coded | undefined
  #deflated: Coded | undefined
  #mark: string | undefined
  #hash: StateHash | undefined
  #mayDeflate = true

  constructor(text: string, dataLength = 0) {
    this.text = text
    this.#dataLength = dataLength
  }

  /**
   * Never compressed: it has texts of several places in it, and how well one compresses with another tells an
   * onlooker who writes the one what is in the other.
   */
  undeflated(): this {
    this.#mayDeflate = false
    return this
  }

  /** What two frames of an event have in common only if they are equal; short, because each stream holds one an event. */
  get mark(): string {
    this.#mark ??= this.text.length > LONG ? hash('sha1', this.text, 'base64') : this.text
    return this.#mark
  }

  /** Of the data, as a tab computes it. */
  get hash(): StateHash {
    this.#hash ??= hashOf(this.text.slice(-2 - this.#dataLength, -2))
    return this.#hash
  }

  get identity(): Piece {
    this.#identity ??= piece(this.text)
    return this.#identity
  }

  /** Compressed for the first stream if it is long, for the second if it is not short. */
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

/** What says to an HTTP/1.1 client that the body is complete. */
export const LAST_CHUNK = '0\r\n\r\n'

/** The answer's head. Written by us and not by Node, because frames go straight to the socket. */
export function head(chunked: boolean, gzip: boolean, date: Date): string {
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
    '\r\n',
  ].join('\r\n')
}

/** Whether an Accept-Encoding names gzip (RFC 9110, 12.5.3); `*` alone does not. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some(coding => /^\s*(x-)?gzip\s*(;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*)\s*)?$/i.test(coding))
}
