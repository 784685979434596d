import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { expect } from 'chai'
import { Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

describe('a request with a foreign host name, and one with a session under the previous key', () => {
  let backing: TestBacking
  const running: RunningService[] = []
  before(async () => {
    backing = await testBacking()
  })
  after(async () => {
    await Promise.all(running.map(service => service.stop()))
    await backing?.drop()
  })

  async function start(name: string, env: object = {}) {
    const service = await startService(name, { ...backing.env, ...env })
    running.push(service)
    return service
  }

  const statusUnder = (host: string, url: string) =>
    new Promise<number>((resolve, reject) => {
      get(url, { headers: { Host: host } }, res => {
        res.resume()
        resolve(res.statusCode!)
      }).on('error', reject)
    })

  it('is refused with 421 by api and gateway, except for the health checks', async () => {
    for (const service of [await start('api'), await start('events')]) {
      const path = service.name === 'api' ? '/login' : '/events'
      const usual = service.name === 'api' ? 200 : 302
      for (const host of ['localhost:3000', '10.0.0.7', 'office', 'chat.osier.lan']) {
        expect(await statusUnder(host, service.url + path), `${service.name} ${host}`).to.equal(usual)
      }
      expect(await statusUnder('evil.example', service.url + path), service.name).to.equal(421)
      for (const check of ['/healthz', '/readyz']) {
        expect(await statusUnder('evil.example', service.url + check), `${service.name} ${check}`).to.equal(
          200,
        )
      }
    }
  })

  it('is served under the host names of PUBLIC_URL and ALLOWED_HOSTS', async () => {
    const api = await start('api', {
      PUBLIC_URL: 'https://chat.example.org',
      ALLOWED_HOSTS: 'chat.example.net',
    })
    for (const host of ['chat.example.org', 'chat.example.net:443']) {
      expect(await statusUnder(host, `${api.url}/login`), host).to.equal(200)
    }
    expect(await statusUnder('evil.example', `${api.url}/login`)).to.equal(421)
  })

  it('keeps its session while the signing key is SESSION_SECRET_PREVIOUS', async () => {
    const before = await start('api')
    const kim = await somebody(before.url).signUp()
    const SESSION_SECRET = randomBytes(32).toString('hex')
    const rotated = await start('api', {
      SESSION_SECRET,
      SESSION_SECRET_PREVIOUS: backing.env.SESSION_SECRET,
    })
    kim.at = rotated.url
    expect((await kim.fetch('/channels')).status).to.equal(200)
    const lou = await new Person('lou', rotated.url).signUp()
    lou.at = (await start('api', { SESSION_SECRET })).url
    expect((await lou.fetch('/channels')).status, 'new cookies are signed with the new key').to.equal(200)
    kim.at = lou.at
    expect((await kim.fetch('/channels')).status, 'without the former key').to.equal(302)
  })
})
