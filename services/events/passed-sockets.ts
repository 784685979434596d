import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'

/** From the front door; `head`: the request up to its empty line, inclusive (latin1). */
type Message = { offer: number; head: string } | { open: number } | { drop: number }

const KEEP_ALIVE_DELAY: Milliseconds = 30_000

/**
 * Receives connections from the front door of `npm start` 0.2.0, which runs on after an upgrade to this release and does
 * not proxy streams. Does nothing without an IPC channel, as from 0.3.0 on. It may go when no upgrade begins at 0.2.0.
 *
 * The front door keeps its copy of a socket until `ready`; this process neither reads nor writes before `open`.
 */
export function passedSockets(server: Server): Part {
  const offered = new Map<number, { socket: Socket; head: string }>()

  const onMessage = (message: Message, socket: Socket | undefined) => {
    if ('offer' in message) {
      // The client closed it in transit.
      if (!socket) return
      socket.on('error', () => {})
      offered.set(message.offer, { socket, head: message.head })
      process.send?.({ ready: message.offer })
      return
    }
    const id = 'open' in message ? message.open : message.drop
    const waiting = offered.get(id)
    offered.delete(id)
    if ('open' in message && waiting) serve(waiting.socket, waiting.head)
    else waiting?.socket.destroy()
  }

  function serve(socket: Socket, head: string) {
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_DELAY)
    socket.unshift(Buffer.from(head, 'latin1'))
    server.emit('connection', socket)
    // The server has attached its listeners; now the bytes above may be read.
    process.nextTick(() => socket.resume())
  }

  const listener = onMessage as (message: unknown, socket: unknown) => void
  return {
    name: 'passed sockets',
    start() {
      if (process.channel) process.on('message', listener)
    },
    // The front door sees the channel close and takes back the offered connections.
    stop() {
      process.off('message', listener)
      for (const { socket } of offered.values()) socket.destroy()
      offered.clear()
      if (process.connected) process.disconnect()
    },
  }
}
