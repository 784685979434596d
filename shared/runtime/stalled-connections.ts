import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Milliseconds } from '../domain/units.ts'

/** Time in which a client takes nothing of what waits for it. Browsers continue a paused download with a range. */
const STALLED: Milliseconds = 30_000

/**
 * Closes connections whose client takes nothing of a response for this time. Node's timer of a socket starts anew with
 * each byte that the system takes, so that a slow line is not a stalled one. A proxy needs this, too: while it waits for
 * its client, it does not notice that the upstream has given up. The kernel's own buffers count as taken.
 */
export function closeStalled(server: Server, stalled = STALLED): void {
  /** With a response under way, for which the client may have to wait. */
  const working = new WeakSet<Socket>()
  server.timeout = stalled
  server.on('request', ({ socket }, res) => {
    working.add(socket)
    res.once('close', () => working.delete(socket))
  })
  server.on('timeout', socket => {
    // Without a response the time of an idle connection is over (`keepAliveTimeout`).
    if (socket.writableLength > 0 || !working.has(socket)) socket.destroy()
  })
}
