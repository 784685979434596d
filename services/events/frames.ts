import type { EventName } from '#shared/rules/payloads.ts'
import type { Milliseconds, Seconds } from '#shared/rules/units.ts'

/** The wire format of a stream (interface 6, Framing): text only, no socket, no store. */

/** Data is compact JSON, which contains no line break; a cursor only `messages` has. */
export function frame(event: EventName, payload: unknown, cursor?: Seconds): string {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  return `${id}event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`
}

/** How long a tab waits before it comes back. */
export const retry = (wait: Milliseconds): string => `retry: ${wait}\n\n`

export const comment = (text: string): string => `: ${text}\n\n`

/** A text as the bytes of the wire: made once, written to every stream that gets it. */
export interface Packet {
  text: string
  /** As one chunk of a chunked HTTP/1.1 body (RFC 9112, 7.1). */
  chunk: Buffer
  /** The same bytes for HTTP/1.0, which knows no chunks. */
  plain: Buffer
}

export function packet(text: string): Packet {
  const size = Buffer.byteLength(text)
  const head = `${size.toString(16)}\r\n`
  const chunk = Buffer.allocUnsafe(head.length + size + 2)
  chunk.write(head, 0, 'latin1')
  chunk.write(text, head.length, 'utf8')
  chunk.write('\r\n', head.length + size, 'latin1')
  return { text, chunk, plain: chunk.subarray(head.length, head.length + size) }
}

/** What says to an HTTP/1.1 client that the body is complete. */
export const LAST_CHUNK = '0\r\n\r\n'

/** The answer's head. Written by us and not by Node, because frames go straight to the socket. */
export function head(chunked: boolean, date: Date): string {
  return [
    'HTTP/1.1 200 OK',
    'Content-Type: text/event-stream',
    'Cache-Control: no-cache',
    'X-Accel-Buffering: no',
    'X-Content-Type-Options: nosniff',
    'Connection: keep-alive',
    ...(chunked ? ['Transfer-Encoding: chunked'] : []),
    `Date: ${date.toUTCString()}`,
    '\r\n',
  ].join('\r\n')
}
