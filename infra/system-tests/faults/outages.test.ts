import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { killableRedis } from '#shared/test-kit/killable-redis.ts'
import { Person } from '#shared/test-kit/person.ts'
import { freePort, type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { type KillableStore, startKillablePostgres } from '../../dev-stores/postgres.ts'
import type { startKillableRedis } from '../../dev-stores/redis.ts'
import { temporaryFolder } from '../../processes/children.ts'

/** The log of a process grows with the number of outages, not of failed calls. Uses its own stores, because it kills them. */
describe('the log of an outage of 30 s under load', function () {
  this.timeout(240_000)
  const OUTAGE = 30_000
  const MOST_LINES = 5
  let postgres: KillableStore
  let redis: Awaited<ReturnType<typeof startKillableRedis>>
  const services: RunningService[] = []
  let ada: Person
  let tab: Tab
  let metricsUrl: string
  const { path: folder, remove } = temporaryFolder('bothy-outages-')

  before(async function () {
    redis = await killableRedis(this)
    postgres = await startKillablePostgres()
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: 'bothy:',
      SESSION_SECRET: randomBytes(32).toString('hex'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      SETTINGS_FILE: join(folder, 'settings.json'),
      PASSWORD_ITERATIONS: '1000',
      LOG_LEVEL: 'info',
    }
    const port = await freePort()
    metricsUrl = `http://127.0.0.1:${port}/metrics`
    services.push(await startService('api', { ...env, METRICS_PORT: String(port) }))
    for (const name of ['events', 'janitor']) services.push(await startService(name, env))
    ada = await new Person('ada', services[0]!.url).signUp()
    tab = await openTab(services[1]!.url, ada.cookie)
  })
  after(async () => {
    await tab?.close()
    await Promise.all(services.map(service => service.stop()))
    await Promise.all([postgres?.stop(), redis?.stop()])
    remove()
  })

  for (const name of ['postgres', 'redis'] as const) {
    it(`${name}: at most ${MOST_LINES} lines of a process, the last with the duration and the failed calls`, async () => {
      const store = { postgres, redis }[name]
      const began = services.map(service => lines(service).length)
      const failedBefore = await failures(name)
      await store.kill()
      const end = Date.now() + OUTAGE
      let asked = 0
      while (Date.now() < end) {
        await Promise.allSettled([
          ada.postForm('/send/general', { text: `message ${++asked}` }),
          ada.get('/channels'),
        ])
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      await store.start()
      for (const [i, service] of services.entries()) {
        const back = await eventually(() => {
          const line = since(service, began[i]!).find(({ msg }) => msg === 'store back')
          expect(line, `${service.name}: store back`).to.include({ store: name })
          return line!
        }, 60_000)
        expect(back['seconds'], service.name).to.be.greaterThan((OUTAGE / 1000) * 0.8)
        const told = since(service, began[i]!)
        expect(told.filter(({ msg }) => msg === 'store away').length, service.name).to.equal(1)
        expect(told.length, JSON.stringify(told, null, 1)).to.be.at.most(MOST_LINES)
        expect(back['failed'], service.name).to.be.at.least(1)
      }
      expect(asked).to.be.greaterThan(20)
      expect((await failures(name)) - failedBefore).to.be.greaterThan(20)
    })
  }

  const failures = async (store: string) => {
    const text = await (await fetch(metricsUrl)).text()
    return Number(new RegExp(`^bothy_store_failures_total\\{store="${store}"\\} (\\d+)`, 'm').exec(text)![1])
  }

  /** Without the line of each request. */
  const lines = (service: RunningService) =>
    service
      .output()
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg !== 'request')

  const since = (service: RunningService, count: number) => lines(service).slice(count)
})
