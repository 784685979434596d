import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { environmentOf, programOf, startChild, stopChild } from '../processes/children.ts'

/** The protocol of `npm start` 0.2.0, whose processes an upgrade replaces by those of this release. */
describe('the front door of 0.2.0 gives connections to a gateway', function () {
  this.timeout(120_000)
  let world: World
  let gateway: ChildProcess
  let giver: Server
  const said: { ready?: number; listening?: number }[] = []

  before(async () => {
    world = await newWorld()
    const env = { ...process.env, ...world.backing.env, LISTEN_HOST: '127.0.0.1', PORT: '0' }
    gateway = startChild(process.execPath, [join(ROOT, programOf('events'))], {
      env: environmentOf('events', env),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    gateway.on('message', message => said.push(message as object))
    await eventually(() => expect(said.some(({ listening }) => listening)).to.equal(true), 60_000)
    giver = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(giver, 'listening')
  })
  after(async () => {
    giver?.close()
    if (gateway) await stopChild(gateway)
    await world.end()
  })

  /** Offers a new connection with a request for a stream. Returns the client's end. */
  async function offer(id: number): Promise<Socket> {
    const accepted = once(giver, 'connection') as Promise<[Socket]>
    const client = connect((giver.address() as AddressInfo).port, '127.0.0.1')
    const [socket] = await accepted
    const head = `GET /events?channel=general HTTP/1.1\r\nHost: a\r\nCookie: ${world.bob.cookie}\r\nConnection: close\r\n\r\n`
    gateway.send({ offer: id, head }, socket, { keepOpen: true })
    await eventually(() => expect(said.some(({ ready }) => ready === id)).to.equal(true))
    socket.destroy()
    return client
  }

  it('which serves the stream from then on', async () => {
    const client = await offer(1)
    let text = ''
    client.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    gateway.send({ open: 1 })
    await eventually(() => expect(text).to.match(/^HTTP\/1.1 200 /))
    await world.ada.send('general', 'through 0.2.0')
    await eventually(() => expect(text).to.include('through 0.2.0'))
    client.destroy()
  })

  it('which closes one that the front door takes back', async () => {
    const client = await offer(2)
    const closed = once(client.resume(), 'close')
    gateway.send({ drop: 2 })
    await closed
  })
})
