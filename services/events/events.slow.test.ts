import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { channelCollections, globalCollections } from '#shared/collections/index.ts'
import type { EventName, EventPayloads } from '#shared/domain/payloads/events.ts'
import { type Notice, toText } from '#shared/notices/notice.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { tokenOf } from '#shared/test-kit/program.ts'
import { quiet, settingsRead } from '#shared/test-kit/quiet.ts'
import { openTab, requestStream, type Tab, type TabOptions } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const ALWAYS: EventName[] = globalCollections.map(({ event }) => event)
const OF_A_CHANNEL: EventName[] = ['messages', ...channelCollections.map(({ event }) => event)]

describe('the event stream (interface 4.11, 6, 7, 8)', () => {
  let world: World
  let gateway: RunningService
  let db: pg.Pool
  let redis: Redis
  const tabs: Tab[] = []
  const sockets: Socket[] = []
  let longRun: Awaited<ReturnType<typeof beginLongRun>>

  before(async () => {
    world = await newWorld()
    gateway = await startService('events', world.backing.env)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
    redis = new Redis(world.backing.env.REDIS_URL)
    longRun = await beginLongRun()
  })

  afterEach(() => {
    for (const tab of tabs.splice(0)) tab.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  after(async () => {
    longRun?.end()
    redis.disconnect()
    await db.end()
    await gateway.stop()
    await world.end()
  })

  async function tabOf(person: Person, options: TabOptions = { channel: 'general' }, at = gateway) {
    const tab = await openTab(at.url, options.token === undefined ? person.cookie : '', options)
    tabs.push(tab)
    return tab
  }

  const hasSeen = (events: EventName[]) => (tab: Tab) =>
    events.every(event => tab.lastText(event) !== undefined)
  const row = (tab: Tab, id: number) => tab.rows().findLast(message => message.id === id)

  /** Inserts a private channel with these members straight into the database. */
  async function privateChannel(...members: [Person, historyStart?: number][]) {
    const { rows } = await db.query<{ id: number }>(
      `insert into private_channels (name, created_by, created_ts) values ('den', 'ada', 0) returning id`,
    )
    const id = Number(rows[0]!.id)
    await db.query(`insert into channels (id, clock_us) values ($1, 0)`, [`private:${id}`])
    for (const [member, historyStart] of members) {
      await db.query(
        `insert into private_channel_members (channel_id, username, joined_ts, history_start_ts) values ($1, $2, 0, $3)`,
        [id, member.name, historyStart ?? null],
      )
    }
    return { id, channel: `private:${id}` }
  }

  async function fill(channel: string, count: number, content = 'old') {
    await db.query(
      `insert into channels (id, clock_us, newest_ts, message_count) values ($1, (1000 + $2::int) * 1000000::bigint, 1000 + $2::int, $2::int)
       on conflict (id) do update
          set clock_us = excluded.clock_us, newest_ts = excluded.newest_ts, message_count = excluded.message_count`,
      [channel, count],
    )
    await db.query(
      `insert into messages (channel, ord, sender, content, ts)
       select $1, i, 'ada', $3, 1000 + i from generate_series(1, $2::int) i order by random()`,
      [channel, count, content],
    )
  }

  /** Opens a stream on a raw socket, which the test reads or leaves unread. */
  async function rawStream(person: Person, channel: string): Promise<Socket> {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(`GET /events?channel=${channel} HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\n\r\n`)
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    expect(bytes.toString()).to.include('200 OK')
    return socket
  }

  const announce = (notice: Notice) =>
    redis.xadd(keysWith(world.backing.env.REDIS_PREFIX).notices(), '*', 'notice', toText(notice))

  describe('is refused', () => {
    it('without a session: to the login page', async () => {
      const response = await requestStream(gateway.url, '')
      expect(response.status).to.equal(302)
      expect(response.headers.get('Location')).to.equal('/login')
    })

    it('by any other method or path', async () => {
      const { cookie } = world.ada
      for (const method of ['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        expect((await requestStream(gateway.url, cookie, {}, { method })).status, method).to.equal(405)
      }
      for (const path of [
        '/',
        '/events/',
        '/eventsful',
        '//',
        '/messages/general',
        '/events/x?channel=general',
      ]) {
        expect((await fetch(gateway.url + path, { headers: { cookie } })).status, path).to.equal(404)
      }
    })
  })

  describe('opens', () => {
    it('with the headers of the interface and the reconnect delay as the very first line', async () => {
      const tab = await tabOf(world.ada)
      const { headers } = tab.response
      expect(headers.get('Content-Type')).to.equal('text/event-stream')
      expect(headers.get('Cache-Control')).to.equal('no-cache')
      expect(headers.get('X-Accel-Buffering')).to.equal('no')
      expect(headers.get('Connection')).to.equal('keep-alive')
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff')
      await tab.waitFor(hasSeen(ALWAYS))
      expect(tab.raw).to.match(/^retry: 3000\n/)
      expect(tab.retry).to.equal(3000)
    })

    it('with a frame of every event at once, including empty ones', async () => {
      const tab = await tabOf(world.ada)
      await tab.waitFor(hasSeen([...ALWAYS, ...OF_A_CHANNEL]), 1_000)
      expect(tab.lastText('typing')).to.equal('[]')
      expect(tab.lastText('dms')).to.equal('[]')
      expect(tab.lastText('unread_count')).to.equal('{"count":0}')
      await quiet()
      expect(tab.events().sort()).to.deep.equal([...ALWAYS, ...OF_A_CHANNEL].sort())
    })

    it('without channel events when there is no channel that the viewer may read', async () => {
      const den = await privateChannel([world.ada])
      for (const channel of [
        undefined,
        '',
        'nowhere',
        'dm:ada:bob',
        'dm:mallory',
        den.channel,
        'private:999',
        'dm:\0',
      ]) {
        const tab = await tabOf(world.mallory, channel === undefined ? {} : { channel })
        await tab.waitFor(hasSeen(ALWAYS))
        await pause(100)
        expect(tab.events().sort(), String(channel)).to.deep.equal([...ALWAYS].sort())
      }
    })

    it('on a DM with its names in any order', async () => {
      const id = await world.ada.send('dm:ada:bob', 'hi')
      const tab = await tabOf(world.bob, { channel: 'dm:bob:ADA' })
      expect((await tab.waitFor(() => row(tab, id))).channel).to.equal('dm:ada:bob')
      await world.ada.fetch('/typing/dm:ada:bob', { method: 'POST' })
      await tab.waitFor(() => tab.lastText('typing') === '["ada"]')
    })
  })

  describe('shows a change', () => {
    it('of a message on every tab once, with the cursor as its id', async () => {
      const [ada, bob] = [await tabOf(world.ada), await tabOf(world.bob)]
      await Promise.all([ada, bob].map(tab => tab.waitFor(hasSeen(OF_A_CHANNEL))))
      const id = await world.cleo.send('general', 'to both')
      for (const tab of [ada, bob]) {
        const message = await tab.waitFor(() => row(tab, id))
        expect(tab.lastEventId).to.equal(String(message.ts))
      }
      await quiet()
      for (const tab of [ada, bob]) expect(tab.rows().filter(message => message.id === id)).to.have.length(1)
    })

    it('by an edit, a reaction and a deletion, each once', async () => {
      const id = await world.ada.send('general', 'first')
      const tab = await tabOf(world.bob, { channel: 'general', after: 'inf', lastEventId: '' })
      await tab.waitFor(hasSeen(ALWAYS))
      tab.close()
      const { ts } = (await world.ada.messages('general')).at(-1)!
      const next = await tabOf(world.bob, { channel: 'general', after: ts })
      await next.waitFor(hasSeen(ALWAYS))
      expect(next.rows()).to.deep.equal([])

      expect((await world.ada.edit(id, 'second')).status).to.equal(200)
      await next.waitFor(() => row(next, id)?.content === 'second')
      expect((await world.bob.react(id, 'thumbsup')).status).to.equal(200)
      await next.waitFor(() => row(next, id)?.reactions !== null && row(next, id)?.reactions_ts)
      expect((await world.ada.delete(id)).status).to.equal(200)
      await next.waitFor(() => row(next, id)?.deleted === 1)
      await quiet()
      expect(next.rows().map(message => message.id)).to.deep.equal([id, id, id])
      expect(next.lastEventId).to.equal(String(row(next, id)!.deleted_ts))
    })

    it('made within the minimum interval as soon as the interval ends', async () => {
      const tab = await tabOf(world.ada)
      await tab.waitFor(hasSeen(ALWAYS))
      await world.bob.fetch('/typing/general', { method: 'POST' })
      await tab.waitFor(() => tab.lastText('typing') === '["bob"]')
      await world.cleo.fetch('/typing/general', { method: 'POST' })
      await tab.waitFor(() => tab.lastText('typing') === '["bob","cleo"]', 1_500)
      const times = tab.framesOf('typing').map(({ at }) => at)
      expect(times.at(-1)! - times.at(-2)!).to.be.within(900, 1_200)
    })

    it('that no write causes: typing goes stale', async () => {
      const tab = await tabOf(world.ada)
      await world.mallory.fetch('/typing/general', { method: 'POST' })
      await tab.waitFor(() => tab.lastText('typing')?.includes('mallory'))
      await tab.waitFor(() => tab.lastText('typing') === '[]')
    })

    it('to a late member from joining on, without edits of older messages', async () => {
      const { mallory, ada, bob } = world
      const den = await privateChannel([ada], [bob, Date.now() / 1000 + 3600])
      const [adas, bobs] = [await tabOf(ada, den), await tabOf(bob, den)]
      await bobs.waitFor(hasSeen(['typing']))
      const id = await ada.send(den.channel, 'before his time')
      await adas.waitFor(() => row(adas, id))
      await ada.edit(id, 'still before')
      await adas.waitFor(() => row(adas, id)?.edited === 1)
      await bobs.waitFor(() => bobs.lastText('read_receipts')?.includes('ada'))
      expect(bobs.rows()).to.deep.equal([])
      expect((await tabOf(mallory, den)).rows()).to.deep.equal([])

      await db.query(`update private_channel_members set history_start_ts = 1 where username = 'bob'`)
      const seen = await ada.send(den.channel, 'in his time')
      await bobs.waitFor(() => row(bobs, seen))
      expect(bobs.rows().map(message => message.id)).to.deep.equal([seen])
    })

    it('no longer to a former member, on a tab that is still open', async () => {
      const { ada, bob } = world
      const den = await privateChannel([ada], [bob])
      const [adas, bobs] = [await tabOf(ada, den), await tabOf(bob, den)]
      await bobs.waitFor(hasSeen(['typing', 'private_channels']))
      await db.query('delete from private_channel_members where channel_id = $1 and username = $2', [
        den.id,
        'bob',
      ])
      const collections = ['private_channels', 'messages', 'typing', 'read_receipts'] as const
      const { channel } = den
      await announce({
        concerns: [
          { collections, channel, membership: true },
          { collections, channel, users: ['bob'] },
        ],
      })
      await bobs.waitFor(() => !bobs.lastText('private_channels')?.includes(den.channel))
      const from = bobs.frames.length

      const id = await ada.send(den.channel, 'is he gone?')
      await ada.fetch(`/typing/${den.channel}`, { method: 'POST' })
      await adas.waitFor(() => row(adas, id))
      await quiet()
      expect(bobs.events().slice(from)).to.not.include.members(['messages'])
      expect(bobs.events().slice(from)).to.not.include.members(['typing'])
      expect(bobs.events().slice(from)).to.not.include.members(['read_receipts'])
    })
  })

  describe('resumes', () => {
    it('after the larger of `after` and Last-Event-ID', async () => {
      const first = await world.ada.send('general', 'one')
      const second = await world.ada.send('general', 'two')
      const ts = (id: number) =>
        world.ada.messages('general').then(rows => rows.find(each => each.id === id)!.ts)
      const [one, two] = [await ts(first), await ts(second)]
      const wanted: [TabOptions, number[]][] = [
        [{ after: one }, [second]],
        [{ after: one, lastEventId: String(two) }, []],
        [{ after: two, lastEventId: String(one) }, []],
        [{ after: one, lastEventId: 'junk' }, [second]],
        [{ after: 'inf' }, []],
        [{ after: two + 3600 }, []],
      ]
      for (const [options, ids] of wanted) {
        const tab = await tabOf(world.bob, { channel: 'general', ...options })
        await tab.waitFor(hasSeen(ALWAYS))
        await pause(100)
        expect(
          tab.rows().map(({ id }) => id),
          JSON.stringify(options),
        ).to.deep.equal(ids)
      }
    })

    it('from the beginning for an `after` that is no number', async () => {
      const all = (await world.bob.messages('general')).map(({ id }) => id)
      for (const after of ['', 'nan', 'NaN', 'yesterday', '-1', '-inf']) {
        const tab = await tabOf(world.bob, { channel: 'general', after })
        await tab.waitFor(() => tab.rows().length === all.length)
        expect(
          tab.rows().map(({ id }) => id),
          after,
        ).to.have.members(all)
      }
    })

    it('with new messages only once the clock has passed a cursor from the future', async () => {
      const tab = await tabOf(world.bob, { channel: 'general', after: Date.now() / 1000 + 1 })
      await tab.waitFor(hasSeen(ALWAYS))
      await world.ada.send('general', 'too early')
      await pause(1_200)
      const id = await world.ada.send('general', 'just right')
      await tab.waitFor(() => row(tab, id))
      expect(tab.rows().map(message => message.id)).to.deep.equal([id])
    })

    it('a long history in frames of at most 500 rows, each with a cursor to go on from', async () => {
      const den = await privateChannel([world.ada], [world.bob])
      await fill(den.channel, 1_234)
      const whole = await tabOf(world.ada, den)
      await whole.waitFor(() => whole.rows().length >= 1_234)
      const frames = whole
        .framesOf('messages')
        .map(({ data }) => JSON.parse(data) as EventPayloads['messages'])
      expect(frames.map(rows => rows.length)).to.deep.equal([500, 500, 234])
      const ids = whole.rows().map(({ id }) => id)
      expect(new Set(ids).size).to.equal(1_234)

      const cutAfter = whole.framesOf('messages')[1]!.id!
      const rest = await tabOf(world.bob, { ...den, lastEventId: cutAfter })
      await rest.waitFor(() => rest.rows().length >= 234)
      expect(rest.rows().map(({ id }) => id)).to.deep.equal(ids.slice(1_000))

      // Streams that are catching up do not delay new messages for the others.
      const id = await world.ada.send(den.channel, 'news')
      await Promise.all([whole, rest].map(tab => tab.waitFor(() => row(tab, id))))
      expect(rest.rows()).to.have.length(235)
    })

    it('in small frames when the messages are long, for slow lines', async () => {
      const den = await privateChannel([world.ada])
      await fill(den.channel, 60, 'x'.repeat(9_000))
      const tab = await tabOf(world.ada, den)
      await tab.waitFor(() => tab.rows().length >= 60)
      for (const { data } of tab.framesOf('messages')) expect(data.length).to.be.below(200_000)
      expect(new Set(tab.rows().map(({ id }) => id)).size).to.equal(60)
    })
  })

  describe('lives on', () => {
    it('when a collection fails: the others go on, and it comes back', async () => {
      const tab = await tabOf(world.ada)
      await tab.waitFor(hasSeen(ALWAYS))
      await world.backing.admin('alter table presence rename to presence_away')
      await announce({ concerns: [{ collections: ['online_users'] }] })
      const joined = await tabOf(world.bob)
      await joined.waitFor(hasSeen([...ALWAYS.filter(event => event !== 'online_users'), 'typing']))
      const id = await world.bob.send('general', 'presence is away')
      await tab.waitFor(() => row(tab, id))
      expect(joined.lastText('online_users')).to.equal(undefined)

      await world.backing.admin('alter table presence_away rename to presence')
      await joined.waitFor(hasSeen(['online_users']))
      expect(tab.isOpen && joined.isOpen).to.equal(true)
    })

    it('when its connection to Redis breaks, without a gap', async () => {
      const tab = await tabOf(world.ada)
      await tab.waitFor(hasSeen(ALWAYS))
      for (let i = 0; i < 3; i++) {
        await breakReadsOfNotices()
        const id = await world.bob.send('general', `cut ${i}`)
        await tab.waitFor(() => row(tab, id))
      }
      const texts = tab.rows().map(message => message.content)
      expect(texts.filter(text => text?.startsWith('cut '))).to.deep.equal(['cut 0', 'cut 1', 'cut 2'])
    })

    it('when notices are lost: everything is evaluated again', async () => {
      const tab = await tabOf(world.ada)
      await tab.waitFor(hasSeen(ALWAYS))
      await redis.del(keysWith(world.backing.env.REDIS_PREFIX).notices())
      await db.query(`update presence set override = 'idle' where username = 'bob'`)
      await breakReadsOfNotices()
      await world.bob.postJson('/presence', { state: 'active' })
      await tab.waitFor(() => tab.lastText('online_users')?.includes('bob'))
      const id = await world.bob.send('general', 'still there')
      await tab.waitFor(() => row(tab, id))
    })

    /** Breaks the connections that wait for notices, as a restart of Redis would. */
    async function breakReadsOfNotices() {
      const clients = String(await redis.client('LIST')).split('\n')
      const readers = clients
        .filter(client => /\bcmd=xread\b/.test(client))
        .map(client => /\bid=(\d+)/.exec(client)![1]!)
      for (const id of readers) await redis.call('CLIENT', 'KILL', 'ID', id)
    }
  })

  describe('ends', () => {
    it('within a second when its session ends, and only then', async () => {
      const again = await world.mallory.postForm('/login', {
        username: 'cleo',
        password: 'Bothy-in-the-hills-1!',
      })
      expect(again.status).to.equal(302)
      const [ending, staying] = [await tabOf(world.cleo), await tabOf(world.ada)]
      await ending.waitFor(hasSeen(ALWAYS))
      const since = performance.now()
      await world.cleo.fetch('/logout')
      await ending.ended
      expect(performance.now() - since).to.be.below(1_000)
      expect(staying.isOpen).to.equal(true)
      await world.cleo.postForm('/login', { username: 'cleo', password: 'Bothy-in-the-hills-1!' })
    })

    it('when the client sends another request on the same connection', async () => {
      const socket = await rawStream(world.ada, 'general')
      let text = ''
      socket.on('data', bytes => {
        text += bytes
      })
      socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'close')
      expect(text).to.not.include('ok')
    })
  })

  describe('has a ceiling per user', () => {
    let second: RunningService
    before(async () => {
      second = await startService('events', world.backing.env)
      world.backing.settings({ rate_limit_enabled: true, max_event_streams_per_user: 2 })
      await settingsRead()
    })
    after(async () => {
      world.backing.settings({ rate_limit_enabled: false })
      await second.stop()
    })

    it('over all gateways, with a place free as soon as a tab closes', async () => {
      const [one] = [await tabOf(world.ada), await tabOf(world.ada, {}, second)]
      for (const at of [gateway, second]) {
        const refused = await requestStream(at.url, world.ada.cookie)
        expect(refused.status).to.equal(429)
        expect(refused.headers.get('Retry-After')).to.equal('5')
        expect(refused.headers.get('Content-Type')).to.match(/^text\/plain/)
        expect(await refused.text()).to.equal('Too many open tabs. Close another tab and try again.')
      }
      await tabOf(world.bob, {}, second)

      one.close()
      await pause(100)
      await tabOf(world.ada, {}, second)
      expect((await requestStream(second.url, world.ada.cookie)).status).to.equal(429)
    })

    it('except while rate limiting is off', async () => {
      world.backing.settings({ rate_limit_enabled: false, max_event_streams_per_user: 2 })
      await eventually(async () => {
        for (let i = 0; i < 3; i++) await tabOf(world.ada)
      })
    })

    it('of each token, over all gateways, beside other tokens and the tabs of its person (interface 19.1)', async () => {
      world.backing.settings({ rate_limit_enabled: true })
      await settingsRead()
      const open = (token: string) => (_: unknown, i: number) =>
        tabOf(world.cleo, { token, channel: 'general' }, i % 2 === 0 ? gateway : second).then(
          () => 'open',
          (err: Error) => err.message,
        )
      for (const name of ['one', 'another']) {
        const { token } = await tokenOf(world.cleo, { name })
        const outcomes = await Promise.all(Array.from({ length: 16 }, open(token)))
        expect(outcomes.filter(outcome => outcome === 'open')).to.have.length(12)
        for (const at of [gateway, second]) {
          const refused = await requestStream(at.url, '', { token })
          expect(refused.status).to.equal(429)
          expect(await refused.json()).to.include({ code: 'rate_limited' })
        }
      }
      await tabOf(world.cleo)
    })
  })

  describe('when its gateway is stopped', () => {
    it('ends with a complete body, and the gateway exits with 0', async () => {
      const stopping = await startService('events', world.backing.env)
      const open = await Promise.all(
        [world.ada, world.bob, world.ada].map(person => tabOf(person, {}, stopping)),
      )
      await Promise.all(open.map(tab => tab.waitFor(hasSeen(ALWAYS))))
      const since = performance.now()
      expect(await stopping.stop()).to.equal(0)
      expect(performance.now() - since).to.be.below(8_000)
      await Promise.all(open.map(tab => tab.ended))
    })

    it('resumes at another gateway from the cursor, also after a kill', async () => {
      const dying = await startService('events', world.backing.env)
      const tab = await tabOf(world.ada, { channel: 'general' }, dying)
      await tab.waitFor(hasSeen(OF_A_CHANNEL))
      await dying.kill()
      await tab.ended
      const id = await world.bob.send('general', 'meanwhile')
      const next = await tabOf(world.ada, { channel: 'general', lastEventId: tab.lastEventId! })
      await next.waitFor(() => row(next, id))
      expect(next.rows().map(message => message.id)).to.deep.equal([id])
    })
  })

  /** Starts the half-minute tests in the background, with separate people; their results are checked last. */
  async function beginLongRun() {
    const people = Array.from({ length: 6 }, () => somebody(world.ada.at).signUp())
    const [slow, leaving, ...staying] = (await Promise.all(people)) as [Person, Person, ...Person[]]
    const den = await privateChannel([slow])
    // More than the buffers of both sockets hold.
    await fill(den.channel, 2_500, 'x'.repeat(9_000))
    const stuck = await rawStream(slow, den.channel)
    stuck.pause()
    const open = (person: Person) => openTab(gateway.url, person.cookie, { channel: 'general' })
    const alive = await Promise.all(staying.map(open))
    const left = await open(leaving)
    const session = decodeURIComponent(leaving.cookie)
      .replace(/^session=s:/, '')
      .split('.')[0]!
    expect(await redis.del(keysWith(world.backing.env.REDIS_PREFIX).session(session))).to.equal(1)
    sockets.splice(0)
    const since = performance.now()
    const leftAfter = left.ended.then(() => performance.now() - since)
    const end = () => {
      stuck.destroy()
      for (const tab of [...alive, left]) tab.close()
    }
    return { stuck, since, alive, leftAfter, end }
  }

  describe('in the long run', function () {
    const DROPPED_AFTER = 32_000
    this.timeout(45_000)

    it('sends a comment at least every fifteen seconds', async () => {
      for (const tab of longRun.alive) {
        await tab.waitFor(() => tab.comments.length > 0, 15_200)
        expect(tab.comments[0]!.text.trim()).to.equal('keep-alive')
        expect(tab.comments[0]!.at).to.be.below(15_000)
      }
    })

    it('ends within fifteen seconds of its session even without a notice', async () => {
      expect(await longRun.leftAfter).to.be.below(15_500)
    })

    it('ends for a tab that does not read', async () => {
      const { stuck, since } = longRun
      await pause(Math.max(0, DROPPED_AFTER - (performance.now() - since)))
      let received = 0
      stuck.on('data', bytes => {
        received += bytes.length
      })
      stuck.resume()
      await new Promise(resolve => stuck.once('close', resolve))
      expect(received).to.be.below(15_000_000)
    })
  })
})
