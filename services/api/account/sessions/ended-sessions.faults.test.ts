import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** Each end goes through one replica; the others have served the session before and lose Redis afterwards. */
describe('a session that was ended stays ended at every replica and gateway', function () {
  this.timeout(180_000)
  const NEW = `${PASSWORD}-anew`
  let backing: TestBacking
  let redis: NetworkLink
  let first: RunningService
  let second: RunningService
  let gateway: RunningService

  before(async () => {
    backing = await testBacking()
    redis = await NetworkLink.to(backing.env.REDIS_URL)
    const env = { ...backing.env, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' }
    ;[first, second, gateway] = await Promise.all([
      startService('api', env),
      startService('api', env),
      startService('events', env),
    ])
  })
  after(async () => {
    await Promise.all([first?.stop(), second?.stop(), gateway?.stop()])
    await redis?.cut()
    await backing?.drop()
  })

  async function statusAt(service: RunningService, cookie: string) {
    const abort = new AbortController()
    const path = service.name === 'events' ? '/events' : '/channels'
    const { status } = await fetch(service.url + path, {
      headers: { cookie },
      redirect: 'manual',
      signal: abort.signal,
    })
    abort.abort()
    return status
  }

  const everywhere = (cookie: string) =>
    Promise.all([first, second, gateway].map(service => statusAt(service, cookie)))

  /** A user with a second session, both known to all processes. */
  async function twice() {
    const kim = await somebody(first.url).signUp()
    const phone = new Person(kim.name, second.url)
    await phone.postForm('/login', { username: kim.name, password: PASSWORD })
    for (const { cookie } of [kim, phone]) expect(await everywhere(cookie)).to.deep.equal([200, 200, 200])
    return { kim, phone }
  }

  async function tokenOf(person: Person) {
    return (await person.get<{ csrf_token: string }>('/csrf_token')).csrf_token
  }

  const ends: Record<string, (kim: Person, phone: Person) => Promise<{ ended: string[]; open: string[] }>> = {
    'by signing out': async (kim, phone) => {
      const { cookie } = kim
      expect((await kim.fetch('/logout')).status).to.equal(302)
      return { ended: [cookie], open: [phone.cookie] }
    },
    'from the list of sessions': async (kim, phone) => {
      const sessions = await kim.get<{ id: string; current: boolean }[]>('/sessions')
      const { id } = sessions.find(session => !session.current)!
      expect((await kim.fetch(`/sessions/${id}`, { method: 'DELETE' })).status).to.equal(204)
      return { ended: [phone.cookie], open: [kim.cookie] }
    },
    'by a change of the password': async (kim, phone) => {
      const before = kim.cookie
      const changed = await kim.postForm('/change-password', {
        csrf_token: await tokenOf(kim),
        current_password: PASSWORD,
        new_password: NEW,
        confirm_password: NEW,
      })
      expect(changed.status).to.equal(200)
      await everywhere(kim.cookie)
      return { ended: [before, phone.cookie], open: [kim.cookie] }
    },
    'by the deletion of the account': async (kim, phone) => {
      const { cookie } = kim
      const deleted = await kim.postJson('/delete_account', { type: 'soft', password: PASSWORD })
      expect(deleted.status).to.equal(200)
      return { ended: [cookie, phone.cookie], open: [] }
    },
  }

  for (const [how, end] of Object.entries(ends)) {
    for (const [fault, away] of [
      ['is killed', () => redis.cut()],
      ['hangs', async () => redis.freeze()],
    ] as const) {
      it(`${how}, when Redis ${fault} afterwards`, async () => {
        const { kim, phone } = await twice()
        const { ended, open } = await end(kim, phone)
        await away()
        try {
          // 503 from a process that has never served the session: without Redis it cannot check it.
          for (const cookie of ended)
            for (const status of await everywhere(cookie)) expect(status).to.be.oneOf([302, 503])
          for (const cookie of open) expect(await everywhere(cookie), 'open').to.deep.equal([200, 200, 200])
        } finally {
          await redis.cut()
          await redis.mend()
          await settled()
        }
        for (const cookie of ended) expect(await everywhere(cookie)).to.deep.equal([302, 302, 302])
        for (const cookie of open) expect(await everywhere(cookie)).to.deep.equal([200, 200, 200])
      })
    }
  }

  /** Waits until all processes have Redis again. */
  async function settled() {
    for (const service of [first, second, gateway]) {
      await eventually(async () => expect((await fetch(`${service.url}/readyz?stores`)).ok).to.equal(true))
    }
    // /readyz may report a check of the stores that is a second old.
    await new Promise(resolve => setTimeout(resolve, 1_100))
  }
})
