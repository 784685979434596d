import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import sharp from 'sharp'
import { DEFAULTS, type RateName } from '#shared/runtime/settings.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Person, somebody } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { Endpoint } from './middleware/endpoint.ts'
import { GENERAL } from './middleware/rate-limits.ts'

/** Counted for complete forms, by address: accounts.slow.test.ts and passwords.slow.test.ts. */
const COUNTED_ELSEWHERE: RateName[] = ['login', 'hook']
/** Counted in the memory of each process. */
const IN_PROCESS = 'other'
const MANY = 1_000_000
const TOO_MANY = 'too many requests, try again later'

/** The limits of media and of parts count MiB. */
const isCountedBySize = (path: string) => path.endsWith('/media') || path.startsWith('/uploads/')

const TOKENS = { signal: 25, media: 1_024, card: 2 }

interface Counter {
  name: RateName
  routes: { endpoint: Endpoint; tokens: number }[]
}

describe('rate limits (interface 7, 8)', () => {
  let world: World
  /** By counter: `calls` has one for signals and one for media. Requests without a file cost none of `files`. */
  const counters = new Map<string, Counter>()
  for (const endpoint of ENDPOINTS) {
    if (typeof endpoint.limit !== 'object') continue
    // Slack's methods take a token alone: services/api/slack-api has their 429.
    if (endpoint.errors === 'slack') continue
    for (const counted of endpoint.limit) {
      const [name, cost] = typeof counted === 'string' ? [counted, 1] : counted
      if (name === 'files' && !endpoint.path.startsWith('/uploads/')) continue
      const key = typeof cost === 'string' ? `${name}: ${cost}` : name
      const tokens = typeof cost === 'string' ? TOKENS[cost] : cost
      const counter = counters.get(key) ?? { name, routes: [] }
      counter.routes.push({ endpoint, tokens })
      counters.set(key, counter)
    }
  }
  const wide = Object.fromEntries(Object.keys(DEFAULTS.rate_limits).map(name => [name, [MANY, 3600]]))

  before(async () => {
    world = await newWorld({ apis: 2 })
  })
  after(() => world.end())

  /** Sets these limits and raises the others out of reach; resolves when both processes have read them. */
  async function limit(rates: Partial<Record<RateName, [number, number]>>, settings = {}) {
    // A refusal's Retry-After depends on the window, so it shows which settings are in effect.
    const seconds = 1_000 * ++probes
    const probe: [number, number] = [6, seconds]
    world.backing.settings({ ...settings, rate_limits: { ...wide, account: probe, ...rates } })
    for (const { url } of world.api) {
      await eventually(async () => {
        const response = await fetch(`${url}/change-password`, {
          method: 'POST',
          headers: { cookie: world.mallory.cookie },
          redirect: 'manual',
        })
        await response.text()
        expect(response.status).to.equal(429)
        expect(Number(response.headers.get('Retry-After'))).to.be.within(seconds - 500, seconds)
      })
    }
  }
  let probes = 0

  /** Sends a request to the two processes in turn; it counts whatever its content. */
  let turn = 0
  async function request(person: Person, { method, path }: Endpoint, id = randomUUID()) {
    const { url } = world.api[turn++ % 2]!
    const response = await fetch(url + path.replace(':id', id).replace(':channel', 'general'), {
      method: method.toUpperCase(),
      headers: { cookie: person.cookie, 'Content-Type': 'application/octet-stream' },
      body: isCountedBySize(path) ? Buffer.alloc(1024 * 1024) : method === 'post' ? Buffer.alloc(0) : null,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  it('cover each name of the settings', () => {
    const names = [...counters.values()].map(({ name }) => name)
    expect([...new Set([...names, ...COUNTED_ELSEWHERE, ...GENERAL])]).to.have.members(
      Object.keys(DEFAULTS.rate_limits),
    )
  })

  it('count per address only what needs no session', () => {
    const byAddress = ENDPOINTS.filter(({ limit }) => limit === 'by address')
    expect(byAddress.map(({ path }) => path)).to.have.members([
      '/client_errors',
      '/hooks/:token',
      '/hooks/:token/:shape',
      '/hooks/answer/:token',
      '/slack_uploads/:ticket',
      '/login',
      '/signup',
      '/reset-password/:token',
      '/claim/:code',
    ])
    expect(byAddress.every(({ who }) => who === 'anybody')).to.equal(true)
  })

  describe('of one operation', () => {
    /** Twice the dearest request of each. */
    const counts: Partial<Record<RateName, number>> = {}
    for (const { name, routes } of counters.values())
      counts[name] = Math.max(counts[name] ?? 0, ...routes.map(({ tokens }) => 2 * tokens))
    // A burst is a sixth.
    counts.send = 12

    before(async () => {
      const rates = Object.entries(counts).map(([name, count]) => [name, [count, 3600]])
      await limit(Object.fromEntries(rates.filter(([name]) => name !== 'account')))
    })

    for (const [key, { name, routes }] of counters) {
      const dearest = routes.reduce((most, route) => (route.tokens > most.tokens ? route : most))
      const each = routes.map(({ endpoint }) => endpoint.path).join(', ')
      const allowed = name === 'send' ? 2 : Math.floor(counts[name]! / dearest.tokens)

      if (dearest.endpoint.isSilent) {
        it(`${key}: beyond it ${each} return 204 and change nothing`, async () => {
          for (const { endpoint } of [dearest, dearest, ...routes])
            expect((await request(world.ada, endpoint)).status, endpoint.path).to.equal(204)
        })
        continue
      }
      // The probe uses the limit of passwords.
      const most = name === 'account' ? 1 : name === IN_PROCESS ? 2 * allowed : allowed

      it(`${key}: ${each} count together, and per user`, async () => {
        const id = randomUUID()
        // Requests go to the two processes in turn.
        turn = 0
        for (let i = 0; i < most; i++) {
          const { status } = await request(world.ada, dearest.endpoint, id)
          expect(status, dearest.endpoint.path).to.not.equal(429)
        }
        for (const { endpoint } of routes) {
          for (let i = 0; i < 2; i++) {
            const { status, headers, body } = await request(world.ada, endpoint, id)
            expect(status, endpoint.path).to.equal(429)
            expect(Number(headers.get('Retry-After')), endpoint.path).to.be.within(1, 100_000)
            expect(body, endpoint.path).to.include(TOO_MANY)
          }
        }
        expect((await request(world.bob, dearest.endpoint, id)).status).to.not.equal(429)
        const elsewhere = (await request(world.ada, dearest.endpoint)).status
        if (key === 'calls: signal') expect(elsewhere).to.not.equal(429)
        else expect(elsewhere).to.equal(429)
      })
    }

    it('refuse in JSON where the interface responds in JSON', async () => {
      const response = await world.ada.postJson('/calls/initiate', { channel: 'dm:ada:bob' })
      expect(response.status).to.equal(429)
      expect(response.headers.get('Content-Type')).to.match(/^application\/json/)
      expect(await response.json()).to.deep.equal({ error: TOO_MANY })
    })

    it('drop reports of presence and typing silently', async () => {
      const { bob, cleo } = world
      for (let i = 0; i < 2; i++) {
        await cleo.postForm('/typing/nowhere')
        await cleo.postJson('/presence', { state: 'asleep' })
      }
      await cleo.postForm('/typing/general')
      await cleo.postJson('/presence', { state: 'hidden' })
      await cleo.postJson('/presence/override', { override: 'offline' })
      expect(await bob.get('/typing/general')).to.not.include('cleo')
      expect(await bob.get('/online_users')).to.not.have.property('cleo')
      expect(await cleo.get('/presence/override')).to.deep.equal({ override: null })
    })

    it('do not count requests without a session', async () => {
      for (let i = 0; i < 4; i++) {
        expect((await fetch(`${world.api[0]!.url}/typing/general`, { method: 'POST' })).status).to.equal(204)
      }
    })
  })

  it('refuse more than a sixth of the messages at once', async () => {
    await limit({ send: [18, 61] })
    for (let i = 0; i < 3; i++) await world.ada.send('general', `burst ${i}`)
    expect((await world.ada.postForm('/send/general', { text: 'too many' })).status).to.equal(429)
    const texts = (await world.bob.messages('general')).map(message => message.content)
    expect(texts).to.include('burst 2').and.not.include('too many')
  })

  it('that refuse a request take no tokens of its other limits', async () => {
    await limit({ send: [3, 12] })
    const statuses: number[] = []
    for (let i = 0; i < 2; i++)
      statuses.push((await world.bob.postForm('/send/general', { text: 'x' })).status)
    expect(statuses).to.deep.equal([200, 429])
    for (let i = 0; i < 2; i++) {
      await eventually(async () => {
        expect((await world.bob.postForm('/send/general', { text: 'x' })).status).to.equal(200)
      })
    }
    expect((await world.bob.postForm('/send/general', { text: 'x' })).status).to.equal(429)
  })

  it('count a long message or edit as several messages', async () => {
    await limit({ send: [12, 63] })
    const long = 'あ'.repeat(9_000)
    const id = await world.cleo.send('general', long)
    expect((await world.cleo.edit(id, `${long}y`)).status).to.equal(200)
    await world.cleo.send('general', long)
    const refused = await world.cleo.edit(id, `${long}z`)
    expect([refused.status, await refused.text()]).to.deep.equal([429, TOO_MANY])
    const rows = await world.bob.messages('general')
    expect(rows.find(row => row.id === id)!.content).to.equal(`${long}y`)
    expect((await world.cleo.edit(id, 'short')).status).to.equal(200)
    await limit({ send: [2, 63] })
    await world.cleo.send('general', `${long}, which a full limit allows`)
  })

  it('count a mention of everyone or of a group as 24 messages, edits too', async () => {
    await limit({ send: [60, 64] })
    const id = await world.cleo.send('general', 'look, @everyone')
    expect((await world.cleo.edit(id, 'look again, @everyone')).status).to.equal(200)
    expect((await world.cleo.postForm('/send/general', { text: '@everyone' })).status).to.equal(429)
    await world.cleo.send('general', '@bob and `@everyone`')
    await world.ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bob'] })
    expect((await world.cleo.postForm('/send/general', { text: '@crew' })).status).to.equal(429)
  })

  it('for adding people count names, and let an office of 500 into a channel within the default', async () => {
    await limit({ manage: DEFAULTS.rate_limits.manage as [number, number] })
    const person = await somebody(world.api[0]!.url).signUp()
    const add = async (count: number) => {
      const usernames = Array.from({ length: count }, (_, i) => `nobody-${i}`)
      person.at = world.api[turn++ % 2]!.url
      return (await person.postJson('/public_channels/general/add', { usernames })).status
    }
    for (let names = 0; names < 1_000; names += 100) expect(await add(100), `after ${names}`).to.equal(200)
    expect(await add(100)).to.equal(429)
  })

  it('count an image of a form tenfold, before its body is read', async () => {
    await limit({ files: [1, 65] })
    const image = { name: 'noise.png', bytes: await noise(60 * 1024) }
    expect((await world.ada.sendImages('general', [image])).status).to.equal(200)
    const refused = await world.ada.sendImages('general', [image])
    expect([refused.status, await refused.text()]).to.deep.equal([429, TOO_MANY])
    const avatar = new FormData()
    avatar.set('avatar', new File([new Uint8Array(image.bytes)], 'me.png'))
    expect((await world.ada.fetch('/avatar', { method: 'POST', body: avatar })).status).to.equal(429)
    expect((await world.ada.sendImages('general', [], 'text goes on')).status).to.equal(200)
    expect((await world.bob.sendImages('general', [image])).status).to.equal(200)
  })

  it('for media count all calls and shares of a user together', async () => {
    await limit({ calls: [1_500, 67] })
    const { endpoint } = counters.get('calls: media')!.routes[0]!
    expect((await request(world.bob, endpoint, randomUUID())).status).to.equal(404)
    expect((await request(world.bob, endpoint, randomUUID())).status).to.equal(429)
  })

  describe('of everything', () => {
    it('count a user’s reads, file requests and writes separately', async () => {
      await limit({ requests: [10, 68] })
      const statuses = async (path: string, method = 'GET') => {
        const found: number[] = []
        for (let i = 0; i < 6; i++) found.push((await world.cleo.fetch(path, { method })).status)
        return found
      }
      expect(await statuses('/channels')).to.deep.equal([200, 200, 429, 429, 429, 429])
      expect(await statuses('/files/none')).to.deep.equal([404, 404, 404, 404, 404, 429])
      expect(await statuses('/mark_read/general', 'POST')).to.deep.equal([204, 204, 429, 429, 429, 429])
      const refused = await world.cleo.fetch('/channels')
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 68)
      // Another user behind the same address.
      expect((await world.bob.fetch('/channels')).status).to.equal(200)
      expect((await world.cleo.postForm('/typing/general')).status, 'in silence').to.equal(204)
    })

    it('count an address only for requests without a session', async () => {
      await limit({ anonymous: [3, 69] })
      const { url } = world.api[0]!
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push((await fetch(`${url}/login`)).status)
      expect(statuses).to.deep.equal([200, 200, 200, 429, 429])
      for (let i = 0; i < 5; i++) expect((await world.ada.fetch('/channels')).status).to.equal(200)
      expect((await fetch(`${url}/healthz`)).status).to.equal(200)
    })

    it('count the streams that a user opens, at the gateway', async () => {
      await limit({ requests: [20, 70] })
      const events = await startService('events', world.backing.env)
      try {
        const open = async (person: Person) => {
          const abort = new AbortController()
          const response = await fetch(`${events.url}/events`, {
            headers: { cookie: person.cookie },
            signal: abort.signal,
          })
          const { status } = response
          const retryAfter = Number(response.headers.get('Retry-After'))
          abort.abort()
          return { status, retryAfter }
        }
        for (let i = 0; i < 2; i++) expect((await open(world.ada)).status).to.equal(200)
        const refused = await open(world.ada)
        expect(refused.status).to.equal(429)
        expect(refused.retryAfter).to.be.within(1, 70)
        expect((await open(world.bob)).status).to.equal(200)
      } finally {
        await events.stop()
      }
    })
  })

  it('accept text when the disk of the files is nearly full, and refuse files with 413', async () => {
    const image = { name: 'noise.png', bytes: await noise(2 * 1024) }
    const large = { name: 'noise.png', bytes: await noise(2 * 1024 * 1024) }
    await limit({}, { min_free_disk_percent: 100 })
    // Checks of the disk and the settings are cached for seconds.
    await eventually(async () => {
      for (const images of [[image], [large]]) {
        const refused = await world.ada.sendImages('general', images, 'with a picture')
        expect([refused.status, await refused.text()]).to.deep.equal([
          413,
          'storage full: the server has no room for files at the moment',
        ])
      }
    })
    expect((await world.ada.sendImages('general', [], 'without one')).status).to.equal(200)
    const texts = (await world.bob.messages('general')).map(message => message.content)
    expect(texts).to.include('without one').and.not.include('with a picture')
  })

  it('count cards apart from searches: a channel full of links leaves the search alone', async () => {
    await limit({ search: [4, 73] })
    const card = () => world.bob.fetch('/link_preview')
    await eventually(async () => expect((await card()).status).to.equal(429))
    expect((await world.bob.fetch('/search_messages')).status).to.equal(200)
  })

  it('are counted in memory while Redis is unavailable', async () => {
    await limit({ search: [2, 71] })
    const alone = await startService('api', world.backing.env)
    try {
      const keys = `${world.backing.env.REDIS_PREFIX}rate:search:2:71:bob`
      await withRedis(world.backing.env.REDIS_URL, redis => redis.set(keys, 'not a number'))
      const statuses: number[] = []
      for (let i = 0; i < 3; i++) {
        const response = await fetch(`${alone.url}/search_messages`, {
          headers: { cookie: world.bob.cookie },
        })
        await response.text()
        statuses.push(response.status)
      }
      expect(statuses).to.deep.equal([200, 200, 429])
    } finally {
      await alone.stop()
    }
  })

  it('can be switched off by the settings', async () => {
    world.backing.settings({ rate_limit_enabled: false, rate_limits: { search: [1, 60], requests: [1, 60] } })
    await eventually(async () => {
      for (let i = 0; i < 5; i++) {
        expect((await world.ada.fetch('/search_messages')).status).to.equal(200)
      }
    })
  })
})

async function withRedis(url: string, work: (redis: Redis) => Promise<unknown>) {
  const redis = new Redis(url)
  try {
    await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** An incompressible PNG of about this many bytes. */
function noise(bytes: number) {
  const side = Math.ceil(Math.sqrt(bytes / 3))
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
}
