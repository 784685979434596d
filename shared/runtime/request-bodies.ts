import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Milliseconds } from '../domain/units.ts'

const KIB = 1024

/**
 * Time limits for request bodies. A server's `requestTimeout` is `uploadsWithin`; this file enforces the shorter ones.
 */
export const BODY_LIMITS = {
  /** `/send`, `/avatar` and `/uploads`, which carry files: 16 MiB in ten minutes is 28 KB a second. */
  uploadsWithin: 600_000 as Milliseconds,
  othersWithin: 60_000 as Milliseconds,
  /** Bytes that an upload must bring in each period. */
  leastBytes: 32 * KIB,
  period: 10_000 as Milliseconds,
}

const CARRIES_FILES = /^\/(?:send|avatar|uploads)(?:[/?]|$)/

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Calls `onLate` once if the body of the request arrives too slowly. Bytes are counted at the socket, and only while
 * the server reads: an upload is not ended because the disk or the next process is slow.
 */
export function limitBodyTime(req: IncomingMessage, onLate: () => void, limits = BODY_LIMITS): void {
  if (!hasBody(req) || req.complete) return
  const { socket } = req
  const isUpload = CARRIES_FILES.test(req.url ?? '')
  const { uploadsWithin, othersWithin, leastBytes, period } = limits
  const endsAt = performance.now() + (isUpload ? uploadsWithin : othersWithin)
  let counted = socket.bytesRead
  const look = () => {
    if (req.complete) return stop()
    const arrived = socket.bytesRead - counted
    counted = socket.bytesRead
    const isSlow = isUpload && arrived < leastBytes && req.readableLength === 0
    if (!isSlow && performance.now() < endsAt) return
    stop()
    onLate()
  }
  const timer = setInterval(look, isUpload ? period : othersWithin)
  timer.unref()
  const stop = () => clearInterval(timer)
  req.once('end', stop)
  req.once('close', stop)
}

/** Bounds for the rest of a body after an early response. */
const DISCARD_WITHIN: Milliseconds = 30_000
const SILENT_FOR: Milliseconds = 5_000
const MOST_DISCARDED = 64 * KIB * KIB

/**
 * Makes a response that begins before the end of its request's body reach the client: without this, Node closes the
 * connection at once, the kernel resets it, and a proxy reports an outage. Call it before anything can respond.
 */
export function keepEarlyResponse(req: IncomingMessage, res: ServerResponse): void {
  if (!hasBody(req)) return
  const { writeHead } = res
  res.writeHead = ((...given: Parameters<typeof writeHead>) => {
    if (!req.complete) {
      res.setHeader('Connection', 'keep-alive')
      res.once('finish', () => discardBody(req))
    }
    return writeHead.apply(res, given)
  }) as typeof writeHead
}

/**
 * Reads and discards the rest of a body after an early response, and closes the connection if the body exceeds the
 * bounds. Closing at once would reset the connection, and the client would lose the response. The response needs the
 * header `Connection: keep-alive`: without it Node closes the connection as soon as the response is written.
 */
export function discardBody(req: IncomingMessage): void {
  // A reader that gave up has destroyed the request, which then has no connection any more.
  const socket = req.socket as IncomingMessage['socket'] | null
  if (req.complete || socket === null || socket.destroyed) return
  const began = performance.now()
  const first = socket.bytesRead
  let counted = first
  let heardAt = began
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > counted) heardAt = now
    counted = socket.bytesRead
    if (req.complete || socket.destroyed) return clearInterval(timer)
    if (now - began < DISCARD_WITHIN && now - heardAt < SILENT_FOR && counted - first < MOST_DISCARDED) return
    clearInterval(timer)
    socket.destroy()
  }, 250)
  timer.unref()
  req.once('end', () => clearInterval(timer))
  req.resume()
}
