import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { closeStalled } from './stalled-connections.ts'

describe('connections whose client does not read', () => {
  const STALLED = 400
  let server: Server
  const clients: Socket[] = []

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
    server.closeAllConnections()
    server.close()
  })

  async function serve(respond: RequestListener) {
    server = createServer(respond)
    closeStalled(server, STALLED)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  /** A request by a client that reads only when told to. */
  async function request() {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(client)
    client.on('error', () => {})
    await once(client, 'connect')
    client.pause()
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return client
  }
  const open = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))

  it('are closed, whether the response is one piece or many', async () => {
    let pieces = 0
    await serve((_, res) => {
      if (pieces++ % 2 === 0) return void res.end(Buffer.alloc(32 * 1024 * 1024))
      const more = () => {
        while (!res.destroyed && res.write(Buffer.alloc(64 * 1024)));
      }
      res.on('drain', more)
      more()
    })
    for (let i = 0; i < 6; i++) await request()
    expect(await open()).to.equal(6)
    await eventually(async () => expect(await open()).to.equal(0))
  })

  it('stay while the client reads slowly, and while the response is not there yet', async () => {
    await serve(async (_, res) => {
      await pause(3 * STALLED)
      res.end(Buffer.alloc(32 * 1024 * 1024))
    })
    const client = await request()
    let taken = 0
    let rest = 0
    // Longer in all than the time, a part of it in one piece.
    client.on('data', (bytes: Buffer) => {
      taken += bytes.length
      rest += bytes.length
      if (rest < 4 * 1024 * 1024) return
      rest = 0
      client.pause()
      setTimeout(() => client.resume(), STALLED / 2)
    })
    client.resume()
    await eventually(() => expect(taken).to.be.above(32 * 1024 * 1024))
  })

  it('are closed after their time without a request, as before', async () => {
    await serve((_, res) => void res.end('short'))
    server.keepAliveTimeout = 100
    const client = await request()
    client.resume()
    await once(client, 'close')
  })
})
