import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { timeOf } from '#shared/test-kit/reference.ts'
import { sendersOf } from '#shared/test-kit/senders.ts'
import { storedTexts } from '#shared/test-kit/stored-texts.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { addRedisUser, NoRedis } from '../dev-stores/redis.ts'
import { LOCAL_TLS, startWatchedRedis, type WatchedRedis } from '../dev-stores/redis-sentinels.ts'

const SERVICES = ['api', 'api', 'events', 'janitor', 'previews', 'previews-pictures']

/** A real primary, a real replica and three real sentinels. */
for (const isEncrypted of [false, true])
  describe(`a failover of Redis${isEncrypted ? ', encrypted' : ''}`, function () {
    this.timeout(300_000)
    let backing: TestBacking
    let redis: WatchedRedis
    let ada: Person
    let env: object
    /** Time in which the processes start one after the other, ms. */
    let start: number
    const services: RunningService[] = []

    before(async function () {
      backing = await testBacking()
      try {
        redis = await startWatchedRedis({ isEncrypted })
      } catch (err) {
        if (err instanceof NoRedis) this.skip()
        throw err
      }
      env = {
        ...backing.env,
        ...(isEncrypted && { NODE_EXTRA_CA_CERTS: LOCAL_TLS }),
        REDIS_URL: redis.urlOf(),
        PREVIEWS_REDIS_URL: await restricted('previews'),
        THUMBNAILS_REDIS_URL: await restricted('thumbnails'),
      }
      start = await timeOf(async () => {
        for (const name of SERVICES) services.push(await startService(name, env))
      })
      ada = await new Person('ada', services[0]!.url).signUp()
    })
    after(async () => {
      await Promise.all(services.map(service => service.stop()))
      await redis?.stop()
      await backing?.drop()
    })

    it('loses no session and nothing acknowledged, and every process finds the new primary within seconds', async () => {
      const apis = services.filter(({ name }) => name === 'api').map(({ url }) => url)
      const tab = await openTab(services[2]!.url, ada.cookie, { channel: 'general' })
      const work = sendersOf(ada, apis)
      await work.waitForSends(200)
      const before = await redis.primaryPort()
      const cookie = ada.cookie
      const killed = performance.now()
      await redis.killPrimary()
      await eventually(async () => expect(await redis.primaryPort()).to.not.equal(before), 60_000)
      const elected = performance.now()
      await Promise.all(services.map(becomesReady))
      const ready = performance.now()
      await work.waitForSends(200)
      await work.stop()
      expect(work.refused().filter(status => status !== 503)).to.deep.equal([])
      expect(await storedTexts(backing.env.DATABASE_URL, work.acknowledged)).to.deep.equal(
        [...work.acknowledged].sort(),
      )
      expect(ready - elected).to.be.below(15_000 + start)
      const isShown = () => {
        const texts = new Set(tab.rows().map(row => row.content))
        return work.acknowledged.every(text => texts.has(text))
      }
      await tab.waitFor(isShown, 60_000)
      tab.close()

      for (const { url } of services.slice(0, 2)) {
        const here = new Person('ada', url)
        here.cookie = cookie
        expect((await here.fetch('/sessions')).status).to.equal(200)
      }
      const again = new Person('ada', apis[1]!)
      expect((await again.postForm('/login', { username: 'ada', password: PASSWORD })).status).to.equal(302)
      expect((await again.fetch('/sessions')).status).to.equal(200)
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
      process.stdout.write(
        `    ${work.acknowledged.length} acknowledged, ${work.refused().length} refused; elected ${seconds(elected - killed)} after the kill, ` +
          `all processes ready ${seconds(ready - elected)} later\n`,
      )
    })

    it('with an unknown name of the primary is told while the process waits', async () => {
      const mistaken = {
        ...env,
        LOG_LEVEL: 'info',
        REDIS_URL: redis.urlOf().replace('/office?', '/nobody?'),
      }
      // Never ready: the helper gives up after a while.
      const output = await startService('api', mistaken).catch((err: Error) => err.message)
      expect(output).to.match(/waiting for Redis at [\d.:,]+ \(primary nobody\)/)
      expect(output).to.include('No such master')
    })

    if (isEncrypted)
      it('with a certificate that nobody trusts is told while the process waits', async () => {
        const mistrusting = { ...env, NODE_EXTRA_CA_CERTS: '', LOG_LEVEL: 'info' }
        const output = await startService('api', mistrusting).catch((err: Error) => err.message)
        expect(output).to.match(/waiting for Redis at [\d.:,]+ \(primary office\)/)
        expect(output).to.match(/self-signed certificate/)
      })

    async function restricted(user: 'previews' | 'thumbnails') {
      const password = 'a'.repeat(24)
      // Users are not replicated.
      for (const url of redis.serverUrls)
        await addRedisUser(url, user, { prefix: backing.env.REDIS_PREFIX, password, ca: redis.ca })
      return redis.urlOf({ name: user, password })
    }

    async function becomesReady({ name, url }: RunningService) {
      await eventually(async () => {
        expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
      }, 60_000)
    }
  })
