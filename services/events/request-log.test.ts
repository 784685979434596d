import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

type Line = Record<string, unknown>

describe('the log line of a request to the gateway', function () {
  this.timeout(20_000)
  let backing: TestBacking
  let api: RunningService
  let gateway: RunningService
  let ada: Person
  before(async () => {
    backing = await testBacking()
    const env = { ...backing.env, LOG_LEVEL: 'debug', TRUST_PROXY: '1' }
    ;[api, gateway] = await Promise.all([startService('api', backing.env), startService('events', env)])
    ada = await new Person('ada', api.url).signUp()
  })
  after(async () => {
    await Promise.all([api.stop(), gateway.stop()])
    await backing.drop()
  })

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(gateway.url + path, {
      redirect: 'manual',
      ...init,
      headers: { cookie: ada.cookie, ...(init.headers as Record<string, string>) },
    })
  const linesOf = (id: string | null, msg = 'request') =>
    gateway
      .output()
      .split('\n')
      .flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
      .filter(line => line['id'] === id && line['msg'] === msg)
  /** Its only line. */
  const lineOf = async (response: Response) => {
    const id = response.headers.get('X-Request-Id')
    expect(id).to.match(/^[\w.:-]{1,64}$/)
    await response.body?.cancel()
    return eventually(() => {
      const found = linesOf(id)
      expect(found, `request ${id}`).to.have.length(1)
      return found[0]!
    })
  }

  it('has the status and the time to the response, as soon as a stream is open', async () => {
    const stream = await ask('/events?channel=dm:ada:heather&after=0')
    expect(stream.status).to.equal(200)
    const id = stream.headers.get('X-Request-Id')
    await eventually(() => expect(linesOf(id)).to.have.length(1))
    expect(linesOf(id, 'stream closed')).to.deep.equal([])
    const line = await lineOf(stream)
    expect(line).to.include({ level: 'info', method: 'GET', route: '/events', status: 200 })
    expect(line['ms']).to.be.a('number')
    await eventually(() => expect(linesOf(id, 'stream closed')).to.have.length(1))
  })

  it('tells of refused requests, too', async () => {
    const refused: [path: string, init: RequestInit, route: string, status: number][] = [
      ['/events?channel=heather', { headers: { cookie: '' } }, '/events', 302],
      ['/events', { method: 'POST' }, '/events', 405],
      ['/heather?q=heather', {}, 'other', 404],
    ]
    for (const [path, init, route, status] of refused)
      expect(await lineOf(await ask(path, init)), path).to.include({ route, status })
  })

  it('has the id of a trusted proxy, unless it is no plain word', async () => {
    const named = (id: string) => ask('/nowhere', { headers: { 'X-Request-Id': id } })
    expect(await lineOf(await named('proxy-17'))).to.include({ id: 'proxy-17' })
    expect((await lineOf(await named('heather likes it')))['id']).to.match(/^[0-9a-f-]{36}$/)
  })

  it('has neither a person nor a channel nor a query', () => {
    expect(gateway.output()).to.not.match(/"(viewer|channel|username|client)"/)
    expect(gateway.output()).to.not.include('heather')
    expect(gateway.output()).to.not.include('"ada"')
  })
})
