import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import type { ToGiver, ToTaker } from '#shared/runtime/passed-sockets.ts'

const KEEP_ALIVE_DELAY: Milliseconds = 30_000

/**
 * Receives connections from the parent process (the front door of `npm start`), each with the request already read from
 * it, and serves them like accepted ones. Does nothing without an IPC channel.
 */
export function passedSockets(server: Server): Part {
  const offered = new Map<number, { socket: Socket; head: string }>()

  const onMessage = (message: unknown, socket: unknown) => {
    const said = message as ToTaker
    if ('offer' in said) {
      // The client closed it in transit.
      if (!socket) return
      const taken = socket as Socket
      taken.on('error', () => {})
      offered.set(said.offer, { socket: taken, head: said.head })
      process.send?.({ ready: said.offer } satisfies ToGiver)
      return
    }
    const id = 'open' in said ? said.open : said.drop
    const waiting = offered.get(id)
    offered.delete(id)
    if (!waiting) return
    if ('drop' in said) return void waiting.socket.destroy()
    serve(waiting.socket, waiting.head)
  }

  function serve(socket: Socket, head: string) {
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_DELAY)
    socket.unshift(Buffer.from(head, 'latin1'))
    server.emit('connection', socket)
    // The server has attached its listeners; now the bytes above may be read.
    process.nextTick(() => socket.resume())
  }

  return {
    name: 'passed sockets',
    start() {
      if (!process.channel) return
      process.on('message', onMessage)
    },
    // The parent sees the channel close and takes back the offered connections.
    stop() {
      process.off('message', onMessage)
      for (const { socket } of offered.values()) socket.destroy()
      offered.clear()
      if (process.connected) process.disconnect()
    },
  }
}
