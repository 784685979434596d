import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { messages } from '#shared/collections/messages.ts'
import { DELTA_NAMES } from '#shared/domain/deltas.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { launchBrowser } from '#shared/test-kit/browser.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { openTab, requestStream, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const CHANNELS = ['general', 'random', ...Array.from({ length: 12 }, (_, i) => `long-${i}`)]

const LONG = CHANNELS.slice(2)
const ROWS = 120

describe('a stream and its bounds', () => {
  let world: World
  let gateway: RunningService
  let stores: OpenStores
  const tabs: Tab[] = []

  before(async () => {
    world = await newWorld({ settings: { channels: CHANNELS } })
    const { env } = world.backing
    gateway = await startService('events', env)
    stores = await storesOf(world.backing)
  })

  afterEach(() => {
    for (const tab of tabs.splice(0)) tab.close()
  })

  after(async () => {
    await gateway.stop()
    await stores.stop()
    await world.end()
  })

  const tabOf = async (...args: Parameters<typeof openTab>) => {
    const tab = await openTab(...args)
    tabs.push(tab)
    return tab
  }

  /** Reads the bytes of a response until `enough` of them have arrived. */
  async function rawStream(
    head: string,
    enough: (bytes: Buffer) => boolean,
    at = gateway,
  ): Promise<[Buffer, Socket]> {
    const { hostname, port } = new URL(at.url)
    const socket = connect(Number(port), hostname)
    let bytes = Buffer.alloc(0)
    const done = new Promise<void>((resolve, reject) => {
      socket.on('data', data => {
        bytes = Buffer.concat([bytes, data])
        if (enough(bytes)) resolve()
      })
      socket.on('close', () => reject(new Error('closed')))
    })
    socket.write(head)
    await done
    return [bytes, socket]
  }

  describe('whose bytes', () => {
    it('are gzip where the request accepts it, and decode frame by frame', async () => {
      const tab = await tabOf(gateway.url, world.bob.cookie, { channel: 'general' })
      expect(tab.response.headers.get('Content-Encoding')).to.equal('gzip')
      for (const text of ['short', 'long '.repeat(1_000), 'short again']) {
        const id = await world.ada.send('general', text)
        await tab.waitFor(() => tab.rows().some(row => row.id === id))
      }
    })

    it('are a whole gzip body when the gateway stops', async () => {
      const another = await startService('events', world.backing.env)
      const response = await requestStream(another.url, world.bob.cookie, { channel: 'general' })
      const text = response.text()
      await pause(500)
      await another.stop()
      // A wrong checksum would be an error.
      expect(await text)
        .to.match(/^retry: 3000\n\n/)
        .and.include('event: messages')
    })

    it('are plain where the request does not accept gzip, and unchunked for HTTP/1.0', async () => {
      const request = (version: string, more = '') =>
        `GET /events?channel=general HTTP/${version}\r\nHost: 127.0.0.1\r\nCookie: ${world.bob.cookie}\r\n${more}\r\n`
      const seen = (bytes: Buffer) => bytes.includes('event: incoming_calls')
      const [plain, first] = await rawStream(request('1.1'), seen)
      expect(plain.toString()).to.include('Transfer-Encoding: chunked').and.not.include('Content-Encoding')
      first.destroy()
      const [old, second] = await rawStream(request('1.0'), seen)
      expect(old.toString()).to.match(/\r\n\r\nretry: 3000\n\n(id|event): /)
      second.destroy()
    })

    it('are unchunked gzip for HTTP/1.0 that accepts gzip', async () => {
      const request = `GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\nCookie: ${world.bob.cookie}\r\nAccept-Encoding: gzip\r\n\r\n`
      const decoded = (bytes: Buffer) => {
        const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
        return gunzipSync(body, { finishFlush: 2 }).toString()
      }
      const seen = (bytes: Buffer) => bytes.length > 400 && decoded(bytes).includes('event: incoming_calls')
      const [bytes, socket] = await rawStream(request, seen)
      expect(decoded(bytes)).to.match(/^retry: 3000\n\nevent: /)
      socket.destroy()
    })

    it('are read live by Chromium', async () => {
      const browser = await launchBrowser()
      try {
        const context = await browser.newContext()
        const [name, value] = world.bob.cookie.split('=') as [string, string]
        await context.addCookies([{ name, value, url: gateway.url }])
        const page = await context.newPage()
        const coding = page
          .waitForResponse(response => response.url().includes('/events'))
          .then(response => response.headerValue('content-encoding'))
        await page.goto(`${gateway.url}/healthz`)
        await page.evaluate(`
          window.texts = []
          const source = new EventSource('/events?channel=general')
          source.addEventListener('messages', event => texts.push(event.data))
        `)
        expect(await coding).to.equal('gzip')
        for (const text of ['to Chromium', 'long '.repeat(500)]) {
          await world.ada.send('general', text)
          await page.waitForFunction(
            `texts.some(data => data.includes(${JSON.stringify(text.trim())}))`,
            undefined,
            { timeout: 8_000 },
          )
        }
      } finally {
        await browser.close()
      }
    })
  })

  describe('that catches up', () => {
    before(async () => {
      await stores.db.query(
        `insert into channels (id, clock_us, newest_ts, message_count)
         select channel, ${ROWS}000000, ${ROWS}, ${ROWS} from unnest($1::text[]) channel`,
        [LONG],
      )
      for (const channel of LONG) {
        await stores.db.query(
          `insert into messages (channel, sender, content, ts, ord)
           select $1, 'ada', repeat('long text ', 900) || i, i, i from generate_series(1, ${ROWS}) i`,
          [channel],
        )
      }
    })

    it('reads no more than it sends', async () => {
      const read = (after: number, mostText?: number) =>
        messages.read(stores, ['bob'], 'long-1', after, 500, true, mostText)
      expect((await read(0)).rows).to.have.length(ROWS)
      expect(await read(0)).to.include({ isLast: true })
      const some = await read(0, 50_000)
      expect(some.rows.map(({ ts }) => ts)).to.deep.equal([1, 2, 3, 4, 5])
      expect(some.isLast).to.equal(false)
      const one = await read(5, 10)
      expect(one.rows.map(({ ts }) => ts)).to.deep.equal([6])
      expect(one.isLast).to.equal(false)
      expect(await read(ROWS - 1, 10)).to.include({ isLast: true })
    })

    it('does not delay the other streams, even twelve times over, and misses nothing', async () => {
      const bob = await tabOf(gateway.url, world.bob.cookie, { channel: 'general' })
      await bob.waitFor(() => bob.lastText('incoming_calls'))
      const long = await Promise.all(
        LONG.map(channel => tabOf(gateway.url, world.mallory.cookie, { channel, after: 0 })),
      )
      const behind = () => long.filter(tab => tab.lastEventId !== String(ROWS)).length
      const since = performance.now()
      const id = await world.ada.send('general', 'meanwhile')
      await bob.waitFor(() => bob.rows().some(row => row.id === id))
      const took = performance.now() - since
      expect(behind(), `of the others are behind after ${took} ms`).to.be.above(0)

      for (const tab of long) {
        await tab.waitFor(() => tab.lastEventId === String(ROWS), 20_000)
        expect(tab.rows().map(({ ts }) => ts)).to.deep.equal(Array.from({ length: ROWS }, (_, i) => i + 1))
        for (const { data } of tab.framesOf('messages')) expect(data.length).to.be.below(160 * 1024)
      }
    })
  })

  it('gets a collection less often the more bytes it takes', async () => {
    const { env } = world.backing
    const settings = { rate_limit_enabled: false, channels: CHANNELS, wire_budget_mb_s: 0.00001 }
    world.backing.settings(settings)
    await pause(1_500)
    const tight = await startService('events', env)
    const [plain, ours] = [
      await tabOf(tight.url, world.bob.cookie, { channel: 'general' }),
      await tabOf(tight.url, world.bob.cookie, { channel: 'general', deltas: DELTA_NAMES }),
    ]
    await plain.waitFor(() => plain.lastText('online_users'))
    const began = performance.now()
    for (let i = 0; i < 32; i++) {
      await world.cleo.postJson('/presence', { state: i % 2 ? 'active' : 'idle' })
      await pause(250)
    }
    // A frame of about fifty bytes at ten bytes per second takes longer than the interface's one second.
    const most = Math.ceil((performance.now() - began) / 2_000)
    expect(plain.framesOf('online_users').length).to.be.within(2, most)
    const id = await world.ada.send('general', 'messages do not wait')
    await Promise.all([plain, ours].map(tab => tab.waitFor(() => tab.rows().some(row => row.id === id))))
    await tight.stop()
  })

  it('gives a prompt reader a frame of three mebibytes', async function () {
    this.timeout(120_000)
    // In the database: the settings take 1,000 names.
    await world.backing.admin(`
      with made as (
        insert into channel_properties (channel, kind, made_here, created_ts)
        select repeat('channel-', 7) || n, 'public', true, n from generate_series(1, 50000) n
        returning channel)
      insert into channel_memberships (username, channel, joined, changed_ts)
      select 'bob', channel, true, 1 from made`)
    // Without statistics PostgreSQL compares each channel with each membership.
    await world.backing.admin('analyze channel_properties, channel_memberships')
    const large = await startService('events', world.backing.env)
    const whole = (text: string | undefined) => (text?.length ?? 0) > 3 * 1024 * 1024
    for (const more of ['', 'Accept-Encoding: gzip\r\n']) {
      const request = `GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\nCookie: ${world.bob.cookie}\r\n${more}\r\n`
      const least = more ? 100_000 : 3 * 1024 * 1024
      const [, socket] = await rawStream(request, bytes => bytes.length > least, large)
      await pause(300)
      expect(socket.destroyed).to.equal(false)
      socket.destroy()
    }
    const tab = await tabOf(large.url, world.bob.cookie, { channel: 'general' })
    await tab.waitFor(() => whole(tab.lastText('channel_unreads')), 20_000)
    const id = await world.ada.send('general', 'after the large frame')
    await tab.waitFor(() => tab.rows().some(row => row.id === id))
    expect(large.output()).to.not.include('stream dropped')
    await large.stop()
  })
})
