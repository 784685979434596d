import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { DEFAULTS, type RateName } from '#shared/kernel/settings.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { LIMITED_ROUTES, type LimitedRoute } from './rate-limits.ts'

/** Counted where the form is complete, by address: accounts.test.ts and passwords.test.ts. STUN counts for itself. */
const COUNTED_ELSEWHERE: RateName[] = ['login', 'signup', 'reset', 'stun']

describe('rate limits (interface 7, 8; decisions, Rate limits)', () => {
  let world: World
  const routesOf = Map.groupBy(LIMITED_ROUTES, route => route.name)

  before(async () => {
    world = await newWorld({ apis: 2 })
    const rates = [...routesOf.keys()].map(name => [name, name === 'media' ? [2 * 1024, 3600] : [2, 3600]])
    world.backing.settings({ rate_limits: Object.fromEntries(rates) })
    for (const { url } of world.api) await limited(url)
  })
  after(() => world.end())

  /** The settings count in this process: mallory may search no more. */
  async function limited(url: string) {
    await eventually(async () => {
      const response = await fetch(`${url}/search_messages`, { headers: { cookie: world.mallory.cookie } })
      await response.text()
      expect(response.status).to.equal(429)
    })
  }

  /** A request to one of the two processes in turn; whatever it says, it counts. */
  let turn = 0
  async function request(person: Person, { method, path }: LimitedRoute, id = randomUUID()) {
    const { url } = world.api[turn++ % 2]!
    const response = await fetch(url + path.replace(':id', id).replace(':channel', 'general'), {
      method: method.toUpperCase(),
      headers: { cookie: person.cookie, 'Content-Type': 'application/octet-stream' },
      body: method === 'post' ? Buffer.alloc(path.endsWith('/media') ? 1024 * 1024 : 0) : null,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  it('are one for each name of the settings', () => {
    const names = [...routesOf.keys(), ...COUNTED_ELSEWHERE]
    expect(names).to.have.members(Object.keys(DEFAULTS.rate_limits))
  })

  for (const [name, routes] of routesOf) {
    const [first] = routes as [LimitedRoute, ...LimitedRoute[]]
    const each = routes.map(({ path }) => path).join(', ')

    if (first.isSilent) {
      it(`${name}: beyond it ${each} answer 204 and change nothing`, async () => {
        for (const route of [first, first, ...routes]) {
          expect((await request(world.ada, route)).status, route.path).to.equal(204)
        }
      })
      continue
    }

    it(`${name}: ${each} count together, over both processes, and for nobody else`, async () => {
      const id = randomUUID()
      for (let i = 0; i < 2; i++) {
        expect((await request(world.ada, routes[i % routes.length]!, id)).status).to.not.equal(429)
      }
      for (const route of routes) {
        for (let i = 0; i < 2; i++) {
          const { status, headers, body } = await request(world.ada, route, id)
          expect(status, route.path).to.equal(429)
          expect(Number(headers.get('Retry-After')), route.path).to.be.within(1, 3600)
          expect(body, route.path).to.include('too many requests, try again later')
        }
      }
      expect((await request(world.bob, first, id)).status).to.not.equal(429)
      const elsewhere = (await request(world.ada, first)).status
      if (first.per === 'person in session') expect(elsewhere).to.not.equal(429)
      else expect(elsewhere).to.equal(429)
    })
  }

  it('refuse in JSON where the interface answers in JSON', async () => {
    const response = await world.ada.postJson('/calls/initiate', { channel: 'dm:ada:bob' })
    expect(response.status).to.equal(429)
    expect(response.headers.get('Content-Type')).to.match(/^application\/json/)
    expect(await response.json()).to.deep.equal({ error: 'too many requests, try again later' })
  })

  it('keep reports of presence and typing from being stored, in silence', async () => {
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

  it('count nobody who is not signed in', async () => {
    for (let i = 0; i < 4; i++) {
      expect((await fetch(`${world.api[0]!.url}/typing/general`, { method: 'POST' })).status).to.equal(204)
    }
  })

  it('are off altogether when the settings say so', async () => {
    world.backing.settings({ rate_limit_enabled: false })
    await eventually(async () => {
      for (let i = 0; i < 5; i++) {
        expect((await world.ada.fetch('/search_messages')).status).to.equal(200)
      }
    })
  })
})
