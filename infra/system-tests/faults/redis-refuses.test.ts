import { expect } from 'chai'
import { Redis } from 'ioredis'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { killableRedis } from '#shared/test-kit/killable-redis.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import type { KillableStore } from '../../dev-stores/postgres.ts'

type Setting = [name: string, refusing: string, usual: string]

/** Ways to have a running Redis refuse writes. `MISCONF` has the same effect, but needs a broken disk. */
const REFUSALS: Record<string, Setting> = {
  'its memory is full (OOM)': ['maxmemory', '1', '0'],
  'its replicas are gone (NOREPLICAS)': ['min-replicas-to-write', '1', '0'],
  'it became a replica (READONLY)': ['replicaof', '127.0.0.1 1', 'no one'],
}

/** Security 13: messages do not need Redis. Uses its own Redis, because it breaks it. */
describe('when Redis refuses writes', function () {
  this.timeout(180_000)
  let backing: TestBacking
  let redis: KillableStore
  let admin: Redis
  let services: RunningService[] = []
  let ada: Person
  let bob: Person
  let tab: Tab

  before(async function () {
    redis = await killableRedis(this)
    backing = await testBacking()
    backing.settings({ rate_limit_enabled: true })
    admin = new Redis(redis.url)
    const env = { ...backing.env, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' }
    services = await Promise.all([startService('api', env), startService('events', env)])
    const [api, events] = services as [RunningService, RunningService]
    ada = await new Person('ada', api.url).signUp()
    bob = await new Person('bob', api.url).signUp()
    tab = await openTab(events.url, bob.cookie, { channel: 'general' })
    // As if a worker were running.
    await admin.set(keysWith(backing.env.REDIS_PREFIX).cardWorker(), 1)
  })
  after(async () => {
    tab?.close()
    await Promise.all(services.map(service => service.stop()))
    admin?.disconnect()
    await redis?.stop()
    await backing?.drop()
  })

  const set = (name: string, value: string) =>
    name === 'replicaof' ? admin.call('REPLICAOF', ...value.split(' ')) : admin.config('SET', name, value)

  const logIn = () => new Person('ada', ada.at).postForm('/login', { username: 'ada', password: PASSWORD })

  for (const [reason, [name, refusing, usual]] of Object.entries(REFUSALS)) {
    describe(`because ${reason}`, () => {
      before(() => set(name, refusing))
      after(() => set(name, usual))

      it('messages and reactions go on, and an open stream shows them within seconds', async () => {
        await bob.postForm('/typing/general')
        const id = await ada.send('general', reason)
        expect((await bob.react(id, '👍')).status).to.equal(200)
        await tab.waitFor(() => tab.rows().some(row => row.id === id))
        // Its notice is lost while the gateway is already polling.
        const next = await ada.send('general', `${reason}, again`)
        await tab.waitFor(() => tab.rows().some(row => row.id === next))
      })

      it('typing and presence respond 204, a link has no preview', async () => {
        expect((await ada.postForm('/typing/general')).status).to.equal(204)
        expect((await ada.postJson('/presence', { state: 'active', tab: 'one' })).status).to.equal(204)
        expect(await ada.get('/link_preview?url=http%3A%2F%2Fa.example%2F')).to.deep.equal({})
      })

      it('signing in is refused with the advice to retry', async () => {
        const answer = await logIn()
        expect(answer.status).to.equal(503)
        expect(Number(answer.headers.get('Retry-After'))).to.be.greaterThan(0)
      })
    })
  }

  it('signing in works as soon as Redis accepts writes', async () => {
    await eventually(async () => expect((await logIn()).status).to.equal(302))
  })
})
