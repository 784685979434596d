import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { timeOf } from '#shared/test-kit/reference.ts'
import { openTab, requestStream } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import type { FrontDoor } from '../run/front-door.ts'

describe('the front door gives connections for /events to the gateways', function () {
  this.timeout(180_000)
  let world: World
  let gateways: RunningService[] = []
  let door: FrontDoor
  let url: string
  const sockets: Socket[] = []

  before(async () => {
    world = await newWorld({ settings: { max_event_streams_per_user: 1_000 } })
  })
  after(() => world.end())

  beforeEach(async () => {
    const env = { ...world.backing.env, LOG_LEVEL: 'debug' }
    gateways = await Promise.all(['events', 'events'].map(name => startService(name, env)))
    door = await startFrontDoor(world.api, gateways)
    url = `http://127.0.0.1:${door.port}`
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await door.close()
    for (const { pid } of gateways) signal(pid, 'SIGCONT')
    await Promise.all(gateways.map(gateway => gateway.stop()))
  })

  function signal(pid: number, name: NodeJS.Signals) {
    try {
      process.kill(pid, name)
    } catch {
      // Already ended by the test.
    }
  }

  /** A connection for handwritten requests, and everything received on it. */
  async function line(): Promise<{
    socket: Socket
    ask: (path: string, more?: string) => void
    heard: () => string
  }> {
    const socket = connect(door.port, '127.0.0.1')
    sockets.push(socket)
    let text = ''
    socket.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    socket.on('error', () => {})
    await once(socket, 'connect')
    const ask = (path: string, more = '') =>
      void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${world.bob.cookie}\r\n${more}\r\n`)
    return { socket, ask, heard: () => text }
  }
  const streams = (text: string) => text.split('HTTP/1.1 200 OK').length - 1

  it('so that a stream goes on without the front door', async () => {
    const tab = await openTab(url, world.bob.cookie, { channel: 'general' })
    await door.close()
    await world.ada.send('general', 'without a door')
    await tab.waitFor(() => tab.rows().find(row => row.content === 'without a door'))
    tab.close()
  })

  it('by turns, on connections that have carried other requests before', async () => {
    for (let i = 0; i < 4; i++) {
      const { ask, heard } = await line()
      ask('/version')
      await eventually(() => expect(heard()).to.match(/HTTP\/1.1 200 OK.*\r\n\r\n.*\}/s))
      ask('/events?channel=general', 'Accept: text/event-stream\r\n')
      await eventually(() => expect(heard()).to.include('event: online_users'))
    }
    await Promise.all(gateways.map(gateway => gateway.stop()))
    const opened = gateways.map(({ output }) => output().split('"route":"/events","status":200').length - 1)
    expect(opened).to.deep.equal([2, 2])
  })

  it('and their refusals arrive whole, after which the connection ends', async () => {
    const answer = await requestStream(url, '')
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/login'])
    expect(answer.headers.get('connection')).to.equal('close')
    expect((await fetch(`${url}/events`, { method: 'POST', body: 'x' })).status).to.equal(405)
  })

  it('to those that are left while one has been killed, and responds 503 when none is', async () => {
    await gateways[0]!.kill()
    for (let i = 0; i < 4; i++) (await openTab(url, world.bob.cookie)).close()
    await gateways[1]!.kill()
    const answer = await requestStream(url, world.bob.cookie)
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1'])
  })

  it('and loses none while one is killed under many that are being opened', async () => {
    const outcomes = new Set<string>()
    const opening = Array.from({ length: 120 }, async () => {
      const { socket, ask, heard } = await line()
      ask('/events')
      const closed = once(socket, 'close')
      const begun = eventually(() => expect(heard()).to.include('\r\n\r\n'), 60_000)
      await Promise.race([begun, closed])
      outcomes.add(heard().split('\r\n', 1)[0] || 'closed')
    })
    await eventually(() => expect(outcomes.size).to.be.greaterThan(0))
    await gateways[0]!.kill()
    await Promise.all(opening)
    // The system closes the connections of the killed process.
    for (const outcome of outcomes) expect(outcome).to.be.oneOf(['HTTP/1.1 200 OK', 'closed'])
    expect(outcomes).to.include('HTTP/1.1 200 OK')
  })

  it('and goes to the next one when one is frozen, which writes nothing when it wakes', async () => {
    const openFour = async () => {
      for (let i = 0; i < 4; i++) (await openTab(url, world.bob.cookie)).close()
    }
    const usual = await timeOf(openFour)
    signal(gateways[0]!.pid, 'SIGSTOP')
    const lines = await Promise.all(Array.from({ length: 6 }, line))
    const began = performance.now()
    for (const { ask } of lines) ask('/events?channel=general')
    await eventually(() => {
      for (const { heard } of lines) expect(heard()).to.include('event: online_users')
    }, 60_000)
    expect(performance.now() - began).to.be.lessThan(10_000 + 4 * usual)
    // Known to be frozen: no further request waits for it.
    expect(await timeOf(openFour)).to.be.lessThan(4_000 + 3 * usual)
    signal(gateways[0]!.pid, 'SIGCONT')
    await eventually(() => expect(gateways[0]!.pass!.isOpen).to.equal(true))
    await world.ada.send('general', 'after the thaw')
    await eventually(() => {
      for (const { heard } of lines) expect(heard()).to.include('after the thaw')
    })
    for (const { heard } of lines) expect(streams(heard())).to.equal(1)
  })

  it('and a gateway that is being stopped gets no more, while the front door goes on', async () => {
    await gateways[0]!.stop()
    for (let i = 0; i < 4; i++) (await openTab(url, world.bob.cookie)).close()
  })
})
