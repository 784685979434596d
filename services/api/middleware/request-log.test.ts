import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

type Line = Record<string, unknown>

describe('the log line of a request', function () {
  this.timeout(20_000)
  let backing: TestBacking
  let api: RunningService
  let ada: Person
  before(async () => {
    backing = await testBacking()
    api = await startService('api', { ...backing.env, LOG_LEVEL: 'info', TRUST_PROXY: '1' })
    ada = await new Person('ada', api.url).signUp()
  })
  after(async () => {
    await api.stop()
    await backing.drop()
  })

  const lines = () =>
    api
      .output()
      .split('\n')
      .flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  const lineOf = async (response: Response, msg = 'request') => {
    const id = response.headers.get('X-Request-Id')
    let found: Line | undefined
    await eventually(() => {
      found = lines().find(line => line['id'] === id && line['msg'] === msg)
      expect(found, `${msg} of ${id}`).to.be.an('object')
    })
    return found!
  }
  const logIn = (username: string) =>
    fetch(`${api.url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ username, password: 'not-the-password' }),
      headers: { 'X-Forwarded-For': '203.0.113.7' },
    })

  it('has the pattern of the route, never the path, and no address', async () => {
    const line = await lineOf(await ada.fetch('/messages/general?limit=5'))
    expect(line).to.include({ method: 'GET', route: '/messages/:channel', status: 200, viewer: 'ada' })
    expect(line['ms']).to.be.a('number')
    expect(line).to.not.have.property('client')
  })

  it('has the route of a request that was refused, if a route has its path', async () => {
    expect(
      (await lineOf(await fetch(`${api.url}/messages/heather`, { redirect: 'manual' })))['route'],
    ).to.equal('/messages/:channel')
    expect((await lineOf(await ada.fetch('/heather/1')))['route']).to.equal('other')
  })

  it('is left out for presence and typing, unless the level is debug', async () => {
    const response = await ada.postJson('/presence', { state: 'active', tab: 'a' })
    expect(response.status).to.equal(204)
    await ada.fetch('/typing/general', { method: 'POST' })
    await lineOf(await ada.fetch('/channels'))
    const routes = lines().map(line => line['route'])
    expect(routes).to.not.include('/presence')
    expect(routes).to.not.include('/typing/:channel')
  })

  it('of a failed log-in has the account, but not a name that nobody has', async () => {
    const [known, unknown] = await Promise.all([logIn('ada'), logIn('heather')])
    expect(await lineOf(known, 'login failed')).to.include({ username: 'ada', reason: 'invalid' })
    expect(await lineOf(unknown, 'login failed')).to.not.have.any.keys('username', 'client')
    expect(api.output()).to.not.include('heather')
  })

  it('has the address of the client with the setting log_addresses', async () => {
    backing.settings({ rate_limit_enabled: false, log_addresses: true })
    await eventually(async () => {
      const line = await lineOf(
        await ada.fetch('/channels', { headers: { 'X-Forwarded-For': '203.0.113.7' } }),
      )
      expect(line['client']).to.equal('203.0.113.7')
    })
    const failed = await logIn('ada')
    expect(await lineOf(failed, 'login failed')).to.include({ client: '203.0.113.7', username: 'ada' })
    const unconfirmed = await ada.fetch('/confirm', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7' },
      body: '{"password": "Wrong-password-1!"}',
    })
    expect(await lineOf(unconfirmed, 'login failed')).to.include({ client: '203.0.113.7', username: 'ada' })
  })
})
