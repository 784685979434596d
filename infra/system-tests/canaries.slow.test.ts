import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { type Program, programOf, tokenOf } from '#shared/test-kit/program.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { ROUTES } from '../../services/api/endpoints.ts'
import { freePort } from '../processes/free-port.ts'
import { findCaddy, startCaddy } from './caddy.fixture.ts'

/** Part of every text, path, query, header, password and token that the test sends. No log may have it. */
const CANARY = 'zqcanary'
const SERVICES = ['api', 'events', 'previews', 'previews-pictures', 'janitor'] as const

/** Fields of bodies; an endpoint reads those that it knows. */
const FIELDS = [
  'text',
  'comment',
  'username',
  'password',
  'current_password',
  'new_password',
  'confirm_password',
  'csrf_token',
  'token',
  'secret',
  'code',
  'q',
  'name',
  'topic',
  'purpose',
  'title',
  'note',
  'reason',
  'url',
  'channel',
  'emoji',
  'reaction',
  'status',
  'display_name',
  'handle',
  'sdp',
  'candidate',
  'payload',
  'client_id',
]
/** End the session, or the process that is asked. */
const LEFT_OUT = ['GET /logout']

describe('no log', function () {
  this.timeout(300_000)
  let backing: TestBacking
  let postgres: NetworkLink
  let redis: NetworkLink
  let env: TestBacking['env']
  const endpoints = ROUTES.filter(route => !LEFT_OUT.includes(route))
  let owner: Person
  let program: Program
  const services: RunningService[] = []
  const logs: (() => string)[] = []
  const closing: (() => unknown)[] = []

  before(async () => {
    backing = await testBacking()
    expect(endpoints.length).to.be.greaterThan(150)
    expect(endpoints).to.include.members(['POST /login', 'GET /search', 'POST /reset-password/:token'])
    postgres = await NetworkLink.to(backing.env.DATABASE_URL)
    redis = await NetworkLink.to(backing.env.REDIS_URL)
    env = { ...backing.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, LOG_LEVEL: 'debug' }
    for (const name of SERVICES) services.push(await startService(name, env))
    for (const { output } of services) logs.push(output)
    owner = await new Person('ada', services[0]!.url).signUp()
    // The walk ends the token of number 1.
    await tokenOf(owner)
    program = await programOf(owner, { scopes: ['channels', 'admin'] })
    await owner.postForm('/send/general', { text: `${CANARY} https://${CANARY}.invalid/${CANARY}` })
  })
  after(async () => {
    for (const close of closing.reverse()) await close()
    await Promise.all([postgres?.mend(), redis?.mend()])
    await Promise.all(services.map(service => service.stop()))
    await Promise.all([postgres?.cut(), redis?.cut()])
    await backing?.drop()
  })

  /** Sends canaries through every endpoint, with a session, a token and without either. Failures are expected. */
  async function walk(url: string, chosen = endpoints) {
    const guest = new Person('nobody', url)
    const script = Object.assign(Object.create(program) as Program, { at: url })
    const member = Object.assign(new Person('ada', url), { cookie: owner.cookie })
    let answered = 0
    const ask = async (person: Person, endpoint: string, turn: number, scheme = 'Basic') => {
      const [method, pattern] = endpoint.split(' ') as [string, string]
      const path = pattern.replace(/:\w+/g, () => (turn % 2 === 0 ? `${CANARY}-${turn}` : '1'))
      const values = Object.fromEntries(FIELDS.map(field => [field, `${CANARY} of ${field}`]))
      const form = turn % 3 === 0
      const body = form ? new URLSearchParams(values) : JSON.stringify(values)
      const init = {
        method,
        signal: AbortSignal.timeout(10_000),
        headers: {
          Referer: `${url}/${CANARY}`,
          'X-Canary': CANARY,
          'User-Agent': CANARY,
          Authorization: `${scheme} ${CANARY}`,
          ...(method === 'GET' || form ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(method === 'GET' ? {} : { body }),
      }
      const query = `q=${CANARY}&token=${CANARY}&channel=${CANARY}&after=${CANARY}&next=/${CANARY}`
      const response = await person.fetch(`${path}?${query}`, init).catch(() => undefined)
      if (response) answered++
      await response?.arrayBuffer().catch(() => {})
    }
    const turns = chosen.flatMap(endpoint => [0, 1, 2, 3].map(turn => [endpoint, turn] as const))
    const workers = Array.from({ length: 6 }, async () => {
      for (let next = turns.shift(); next; next = turns.shift()) {
        await ask(member, next[0], next[1])
        if (next[1] < 2) await ask(guest, next[0], next[1], next[1] === 0 ? 'Bearer' : 'Basic')
        if (next[1] > 1) await ask(script, next[0], next[1])
      }
    })
    await Promise.all(workers)
    return answered
  }

  /** The canary's lines in all logs, shortened. */
  const found = () =>
    logs
      .flatMap(log => log().split('\n'))
      .filter(line => line.toLowerCase().includes(CANARY) || line.includes(program.token))
      .map(line => line.slice(0, 600))

  it('has a text, path, query, header, password or token of any endpoint', async () => {
    expect(await walk(services[0]!.url)).to.be.greaterThan(endpoints.length)
    const tab = await openTab(services[1]!.url, owner.cookie, { channel: CANARY }).catch(() => undefined)
    tab?.close()
    const byToken = await openTab(services[1]!.url, '', { token: program.token })
    byToken.close()
    expect((await program.fetch('/me')).status).to.equal(200)
    expect(logs[0]!().split('\n').length).to.be.greaterThan(endpoints.length)
    expect(found()).to.deep.equal([])
  })

  it('has any while PostgreSQL is away', async () => {
    await postgres.cut()
    await walk(services[0]!.url)
    await postgres.mend()
    expect(found()).to.deep.equal([])
    await eventually(async () => expect((await owner.fetch('/channels')).status).to.equal(200))
  })

  it('has any while Redis is away', async () => {
    await redis.cut()
    await walk(services[0]!.url)
    await redis.mend()
    expect(found()).to.deep.equal([])
    await eventually(async () => expect((await owner.fetch('/channels')).status).to.equal(200))
  })

  it('has any when statements fail for other reasons', async () => {
    await backing.admin('alter table messages rename to messages_away')
    await walk(services[0]!.url)
    await backing.admin('alter table messages_away rename to messages')
    expect(found()).to.deep.equal([])
  })

  it('has any of a row that PostgreSQL refuses and shows in its error', async () => {
    // `detail` of the error is “Failing row contains (…)”.
    await backing.admin('alter table messages add constraint refused check (false) not valid')
    const sent = await owner.postForm('/send/general', { text: `${CANARY} in a row` })
    await backing.admin('alter table messages drop constraint refused')
    expect(sent.status).to.equal(500)
    const id = sent.headers.get('X-Request-Id')!
    const line = await eventually(() => {
      const all = logs[0]!().split('\n')
      return all.find(one => one.includes(id) && one.includes('request failed')) ?? expect.fail('not logged')
    })
    expect(JSON.parse(line).err).to.include({ code: '23514', constraint: 'refused' })
    expect(found()).to.deep.equal([])
  })

  it('of our front door has any while processes behind it end', async () => {
    const printed: string[] = []
    const { log, error, warn } = console
    for (const name of ['log', 'error', 'warn'] as const)
      console[name] = (...words: unknown[]) => void printed.push(words.join(' '))
    try {
      const api = await startService('api', env)
      logs.push(api.output)
      const door = await startFrontDoor([api], [services[1]!])
      const walking = walk(door.url)
      await api.kill()
      await walking
      await door.close()
    } finally {
      Object.assign(console, { log, error, warn })
    }
    logs.push(() => printed.join('\n'))
    expect(found()).to.deep.equal([])
  })

  it('of Caddy has any while processes behind it end', async function () {
    const program = await findCaddy()
    if (program === undefined) {
      console.log('  (Caddy’s log is not tried: no caddy on the PATH, in CADDY or from Debian)')
      return this.skip()
    }
    const api = await startService('api', { ...env, TRUST_PROXY: '1' })
    logs.push(api.output)
    closing.push(() => api.stop())
    const url = `http://127.0.0.1:${await freePort()}`
    const door = await startCaddy(program, {
      api: new URL(api.url).port,
      events: new URL(services[1]!.url).port,
      env: { SITE_ADDRESS: url },
      edit: text =>
        text
          // More lines than in production: one for each attempt.
          .replace('admin off', 'admin off\n\tdebug')
          // Each request to a process that is gone would take this long.
          .replace('lb_try_duration 12s', 'lb_try_duration 100ms'),
      probe: `${url}/login`,
    })
    logs.push(door.output)
    closing.push(door.stop)
    const named = await fetch(`${url}/login`, { headers: { 'X-Request-Id': 'chosen-by-a-browser' } })
    expect(named.headers.get('x-request-id')).to.match(/^[\da-f-]{36}$/)
    await walk(url, ['GET /login', 'GET /search', 'POST /send/:channel'])
    // A stream that is cut, and requests that get no response.
    const tab = await openTab(url, owner.cookie, { channel: CANARY })
    const walking = walk(url)
    await api.kill()
    await walking
    await services[1]!.kill()
    await eventually(() => {
      expect(door.output()).to.include('aborting with incomplete response')
      for (const path of ['events', 'search_messages', 'reset-password'])
        expect(door.output()).to.include(`"uri":"/${path}"`)
    })
    tab.close()
    expect(found()).to.deep.equal([])
  })
})
