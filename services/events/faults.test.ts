import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, requestStream, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** A proxy between the gateway and a store, which the test can cut or stall. */
class Line {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  port = 0

  constructor(url: string) {
    this.#target = new URL(url)
  }

  get url() {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(this.port)
    return url.href
  }

  async restore() {
    this.#server = createServer(client => {
      const store = connect(Number(this.#target.port), this.#target.hostname)
      client.pipe(store).pipe(client)
      for (const socket of [client, store]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          store.destroy()
        })
      }
    })
    await new Promise<void>(resolve => this.#server!.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.#server.address() as { port: number }).port
  }

  cut() {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Stalls all traffic without closing connections. */
  hold() {
    for (const socket of this.#sockets) socket.unpipe()
  }
}

describe('a gateway', () => {
  let world: World
  let gateway: RunningService
  let redis: Line
  let postgres: Line
  const tabs: Tab[] = []

  before(async () => {
    world = await newWorld()
    redis = new Line(world.backing.env.REDIS_URL)
    postgres = new Line(world.backing.env.DATABASE_URL)
    await Promise.all([redis.restore(), postgres.restore()])
    const env = { ...world.backing.env, REDIS_URL: redis.url, DATABASE_URL: postgres.url, LOG_LEVEL: 'info' }
    gateway = await startService('events', env)
  })

  afterEach(() => {
    for (const tab of tabs.splice(0)) tab.close()
  })

  after(async () => {
    await gateway.stop()
    redis.cut()
    postgres.cut()
    await world.end()
  })

  async function tabOfAda() {
    const tab = await openTab(gateway.url, world.ada.cookie, { channel: 'general' })
    tabs.push(tab)
    await tab.waitFor(() => tab.lastText('unread_count') && tab.rows().length > 0)
    return tab
  }

  async function shows(tab: Tab, text: string, within?: number) {
    const id = await world.bob.send('general', text)
    await tab.waitFor(() => tab.rows().some(row => row.id === id), within)
  }

  async function untilReady() {
    while ((await fetch(`${gateway.url}/readyz?stores`)).status !== 200) await pause(50)
  }

  it('still sends messages while Redis is away, a little later, to known sessions', async () => {
    const tab = await tabOfAda()
    redis.cut()
    await shows(tab, 'without Redis', 4_000)

    const since = performance.now()
    const refused = await requestStream(gateway.url, world.mallory.cookie)
    expect(refused.status).to.equal(503)
    expect(refused.headers.get('Retry-After')).to.equal('1')
    expect(performance.now() - since).to.be.below(600)
    expect((await fetch(`${gateway.url}/readyz?stores`)).status).to.equal(503)
    expect((await fetch(`${gateway.url}/healthz`)).status).to.equal(200)
    await shows(await tabOfAda(), 'to a new tab', 4_000)

    await redis.restore()
    await untilReady()
    await shows(tab, 'with Redis again')
    await shows(await tabOfAda(), 'for new tabs too')
    expect(tab.isOpen).to.equal(true)
    const texts = tab.rows().map(({ content }) => content)
    expect(texts.slice(-4)).to.deep.equal([
      'without Redis',
      'to a new tab',
      'with Redis again',
      'for new tabs too',
    ])
  })

  it('does not let requests wait for a Redis that hangs', async () => {
    const tab = await tabOfAda()
    redis.hold()
    const since = performance.now()
    expect((await requestStream(gateway.url, world.cleo.cookie)).status).to.equal(503)
    expect(performance.now() - since).to.be.below(1_000)
    redis.cut()
    await redis.restore()
    await untilReady()
    await shows(tab, 'it answers again')
  })

  it('keeps its streams while PostgreSQL is away, and sends missed messages afterwards', async () => {
    const tab = await tabOfAda()
    postgres.cut()
    const id = await world.bob.send('general', 'without PostgreSQL')
    const refused = await requestStream(gateway.url, world.ada.cookie, { channel: 'dm:ada:bob' })
    expect(refused.status).to.equal(503)
    await pause(500)
    expect(tab.isOpen).to.equal(true)

    await postgres.restore()
    await tab.waitFor(() => tab.rows().some(row => row.id === id))
    await shows(tab, 'with PostgreSQL again')
    const told = gateway
      .output()
      .split('\n')
      .filter(line => line.includes('"msg":"store away"'))
    expect(told.filter(line => line.includes('"store":"postgres"')).length).to.be.within(1, 2)
    expect(gateway.output()).to.not.include('collection failed')
  })
})
