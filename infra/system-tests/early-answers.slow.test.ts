import { request } from 'node:http'
import { expect } from 'chai'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { freePort } from '../processes/free-port.ts'
import { findCaddy, startCaddy } from './caddy.fixture.ts'

/** Per route and door. */
const TRIES = Number(process.env['TRIES'] ?? 5)
const TOO_MUCH = Buffer.alloc(17 * 1024 * 1024, 'x')

/** Refusals and silent responses that do not need the body. The client keeps sending it. */
describe('an answer before the end of a body of 17 MiB', function () {
  this.timeout(600_000)
  let backing: TestBacking
  let ada: Person
  const services: RunningService[] = []
  const doors = new Map<string, string>()
  const stops: (() => Promise<void>)[] = []

  before(async () => {
    backing = await testBacking()
    const plenty = Object.fromEntries(['send', 'files', 'other', 'requests'].map(name => [name, [1e9, 60]]))
    backing.settings({ rate_limit_enabled: true, rate_limits: { ...plenty, manage: [60, 3600] } })
    services.push(
      ...(await Promise.all([startService('api', backing.env), startService('events', backing.env)])),
    )
    const [api, events] = services as [RunningService, RunningService]
    ada = await new Person('ada', api.url).signUp()
    await ada.postForm('/avatar', {})
    const door = await startFrontDoor([api], [events])
    stops.push(() => door.close())
    doors.set('npm start', door.url)
    const program = await findCaddy()
    if (program === undefined) return
    const port = await freePort()
    const caddy = await startCaddy(program, {
      api: new URL(api.url).port,
      events: new URL(events.url).port,
      env: { SITE_ADDRESS: `http://127.0.0.1:${port}` },
      probe: `http://127.0.0.1:${port}/version`,
    })
    stops.push(() => caddy.stop())
    doors.set('Caddy', `http://127.0.0.1:${port}`)
  })
  after(async () => {
    for (const stop of stops) await stop()
    await Promise.all(services.map(service => service.stop()))
    await backing?.drop()
  })

  const FORM = 'application/x-www-form-urlencoded'
  const JSON_BODY = 'application/json'
  const FILE = 'multipart/form-data; boundary=x'
  const RAW = 'application/octet-stream'
  const CASES: [
    title: string,
    signedIn: boolean,
    line: string,
    type: string,
    status: number,
    headers?: Record<string, string>,
  ][] = [
    ['typing without a session', false, 'POST /typing/general', JSON_BODY, 204],
    ['typing', true, 'POST /typing/general', JSON_BODY, 204],
    ['presence without a session', false, 'POST /presence', JSON_BODY, 204],
    ['presence', true, 'POST /presence', JSON_BODY, 204],
    ['a write without a session', false, 'POST /send/general', FORM, 302],
    ['a stream without a session', false, 'GET /events', RAW, 302],
    ['a request of another site', true, 'POST /send/general', FORM, 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a file for a foreign channel', true, 'POST /send/dm:x:y', FILE, 403],
    ['an address that does not exist', true, 'POST /nothing', RAW, 404],
    ['a body that the route does not read', true, 'POST /dms/close', RAW, 400],
    ['a form', true, 'POST /send/general', FORM, 413],
    ['files', true, 'POST /send/general', FILE, 413],
    ['a second avatar within an hour', true, 'POST /avatar', FILE, 429],
    ['a stream by another method', true, 'POST /events', RAW, 405],
  ]

  for (const door of ['npm start', 'Caddy']) {
    for (const [title, signedIn, line, type, status, headers] of CASES) {
      it(`reaches the client through ${door}: ${title}, ${line}, ${status}`, async function () {
        const at = doors.get(door)
        if (at === undefined) return this.skip()
        const [method, path] = line.split(' ') as [string, string]
        const seen = new Map<string, number>()
        for (let i = 0; i < TRIES; i++) {
          const ask = () =>
            send(`${at}${path}`, method, {
              'Content-Type': type,
              ...(signedIn ? { Cookie: ada.cookie } : {}),
              ...headers,
            })
          let outcome = await ask()
          // Go's server resets a connection half a second after its response, which a busy client meets while it writes.
          if (door === 'Caddy' && outcome === 'write ECONNRESET') outcome = await ask()
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        }
        expect(Object.fromEntries(seen)).to.deep.equal({ [status]: TRIES })
      })
    }
  }
})

/** The status, or the error of the connection. */
function send(url: string, method: string, headers: Record<string, string>) {
  return new Promise<string>(resolve => {
    const out = request(url, {
      method,
      headers: { ...headers, 'Content-Length': TOO_MUCH.length },
      agent: false,
    })
    out.once('response', response => {
      response.resume()
      response.once('end', () => resolve(String(response.statusCode)))
      response.once('error', err => resolve(`${response.statusCode} cut off: ${err.message}`))
    })
    out.on('error', err => resolve(err.message))
    out.end(TOO_MUCH)
  })
}
