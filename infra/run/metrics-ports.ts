import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { fail } from '../processes/fail.ts'

/** Where the process of a service serves its metrics; undefined while none runs. */
type PortOf = (service: string) => number | undefined

/**
 * Ports of `/metrics` that stay the same while processes come and go, as in an upgrade: METRICS_PORT is that of the first
 * service, the next port that of the second. Each passes connections on to the process that runs. Returns their closing.
 */
export async function openMetricsPorts(
  first: number,
  services: readonly string[],
  portOf: PortOf,
): Promise<() => Promise<void>> {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all(servers.map(server => new Promise(done => server.close(done))))
  }
  for (const [i, service] of services.entries()) {
    const server = createServer(socket => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      passOn(socket, portOf(service))
    })
    try {
      server.listen({ port: first + i, host: '127.0.0.1' })
      await once(server, 'listening')
    } catch (err) {
      await close()
      fail(`METRICS_PORT: port ${first + i}, for ${service}, cannot be used (${(err as Error).message}).`)
    }
    servers.push(server)
  }
  return close
}

function passOn(socket: Socket, port: number | undefined) {
  socket.on('error', () => {})
  if (port === undefined) {
    socket.destroy()
    return
  }
  const inner = connect({ host: '127.0.0.1', port })
  inner.on('error', () => socket.destroy())
  socket.pipe(inner).pipe(socket)
  socket.once('close', () => inner.destroy())
}
