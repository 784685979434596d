import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { sendersOf } from '#shared/test-kit/senders.ts'
import { storedTexts } from '#shared/test-kit/stored-texts.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import type { KillableStore } from '../dev-stores/postgres.ts'
import { type PostgresPair, startPostgresPair } from '../dev-stores/postgres-pair.ts'
import { NoPgBouncer, startPgBouncer } from './pgbouncer.fixture.ts'

const SERVICES = ['api', 'api', 'events', 'janitor']
const READY_WITHIN = 30_000

/** Joins the servers of several addresses. */
function listOf(...urls: string[]): string {
  const [first, ...others] = urls.map(url => new URL(url))
  const hosts = [first!, ...others].map(({ host }) => host).join()
  return `${first!.href.replace(first!.host, hosts)}?target_session_attrs=read-write`
}

/** Real PgBouncers, a real primary and a real standby. */
describe('several connection poolers', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let pair: PostgresPair
  let ada: Person
  const poolers: KillableStore[] = []
  let services: RunningService[] = []

  const serve = async (databaseUrl: string) => {
    const pooler = await startPgBouncer(databaseUrl)
    poolers.push(pooler)
    return pooler
  }
  const start = async (databaseUrl: string) => {
    const env = { ...backing.env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: pair.url }
    for (const name of SERVICES) services.push(await startService(name, env))
    ada = new Person('ada', services[0]!.url)
  }
  const apis = () => services.slice(0, 2).map(({ url }) => url)

  before(async function () {
    backing = await testBacking()
    pair = await startPostgresPair()
    try {
      await serve(pair.primaryUrl)
    } catch (err) {
      if (err instanceof NoPgBouncer) this.skip()
      throw err
    }
  })
  const stopServices = async () => {
    await Promise.all(services.map(service => service.stop()))
    services = []
  }
  after(async () => {
    await stopServices()
    await Promise.all(poolers.map(pooler => pooler.stop()))
    await pair?.stop()
    await backing?.drop()
  })

  async function allReady() {
    await Promise.all(
      services.map(({ name, url }) =>
        eventually(async () => {
          expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
        }, 60_000),
      ),
    )
  }

  it('of one server: when one ends, every process goes on by the other', async () => {
    const other = await serve(pair.primaryUrl)
    await start(listOf(poolers[0]!.url, other.url))
    await ada.signUp()
    const work = sendersOf(ada, apis())
    await work.waitForSends(100)
    for (const { name, output } of services)
      expect(output(), name).to.not.include('several servers of DATABASE_URL')
    // Whichever they use, each of the two ends once.
    await poolers[0]!.kill()
    await work.waitForSends(50)
    await poolers[0]!.start()
    await other.kill()
    await allReady()
    await work.waitForSends(50)
    expect((await work.stop()).filter(status => status !== 503)).to.deep.equal([])
    expect(await storedTexts(pair.primaryUrl, work.acknowledged)).to.deep.equal([...work.acknowledged].sort())
    for (const { name, output } of services)
      expect(output(), name).to.not.include('several servers of DATABASE_URL')
    await stopServices()
    await other.stop()
    poolers.splice(poolers.indexOf(other), 1)
  })

  it('with a pooler per server, finds the pooler of the new primary after a failover', async () => {
    const beside = await serve(pair.standbyUrl)
    await start(listOf(poolers[0]!.url, beside.url))
    await ada.postForm('/login', { username: 'ada', password: PASSWORD })
    const work = sendersOf(ada, apis())
    await work.waitForSends(100)
    const killed = performance.now()
    // Its pooler goes on, and accepts connections.
    await pair.killPrimary()
    await eventually(() => expect(work.refused()).to.include(503), 60_000)
    await pair.promote()
    const promoted = performance.now()
    await work.waitForSends(1)
    const first = performance.now()
    await allReady()
    const ready = performance.now()
    await work.waitForSends(100)
    expect([...new Set(await work.stop())]).to.deep.equal([503])
    expect(await storedTexts(pair.standbyUrl, work.acknowledged)).to.deep.equal([...work.acknowledged].sort())
    expect(ready - promoted).to.be.below(READY_WITHIN)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    process.stdout.write(
      `    ${work.acknowledged.length} acknowledged, ${work.refused().length} refused; promoted ${seconds(promoted - killed)} ` +
        `after the kill, first send ${seconds(first - promoted)} later, all processes ready ${seconds(ready - promoted)} later\n`,
    )
  })
})
