import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { sendersOf } from '#shared/test-kit/senders.ts'
import { storedTexts } from '#shared/test-kit/stored-texts.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { type PostgresPair, startPostgresPair } from '../../dev-stores/postgres-pair.ts'
import { NoRedis } from '../../dev-stores/redis.ts'
import { startWatchedRedis, type WatchedRedis } from '../../dev-stores/redis-sentinels.ts'

/**
 * Hosts of a list that hang: they accept connections, keep those that they have, and never answer (SIGSTOP). silence.test.ts
 * does the same with single servers, by their network.
 */

/** Limit of a refused request: a connection and a statement without an answer take twelve seconds. */
const REFUSED_WITHIN = 20_000
/** From the moment when there is a server to use. */
const READY_WITHIN = 20_000

const isReady = async ({ url }: RunningService) => (await fetch(`${url}/readyz?stores`)).status === 200
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

async function allReady(services: RunningService[]): Promise<number> {
  const began = performance.now()
  await Promise.all(
    services.map(service =>
      eventually(async () => expect(await isReady(service), service.name).to.equal(true), 60_000),
    ),
  )
  return performance.now() - began
}

describe('a silent PostgreSQL of several', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let pair: PostgresPair
  let ada: Person
  const services: RunningService[] = []
  const apis = () => services.filter(({ name }) => name === 'api').map(({ url }) => url)

  before(async () => {
    backing = await testBacking()
    pair = await startPostgresPair()
    const env = { ...backing.env, DATABASE_URL: pair.url }
    for (const name of ['api', 'api', 'events', 'janitor']) services.push(await startService(name, env))
    ada = await new Person('ada', services[0]!.url).signUp()
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await pair?.stop()
    await backing?.drop()
  })

  /** Sends until one is refused and every process says so; returns the times. */
  async function falls(): Promise<string> {
    const began = performance.now()
    const sends = Array.from({ length: 12 }, async (_, i) => {
      const status = (await ada.postForm('/send/general', { text: `into the silence ${i}` })).status
      return { status, took: performance.now() - began }
    })
    const answers = await Promise.all(sends)
    for (const { status, took } of answers) {
      expect(status).to.equal(503)
      expect(took).to.be.below(REFUSED_WITHIN)
    }
    for (const service of services)
      await eventually(async () => expect(await isReady(service), service.name).to.equal(false), 60_000)
    return `refused within ${seconds(Math.max(...answers.map(({ took }) => took)))}`
  }

  it('is a 503 within a limit; when it goes on, so does everything, and nothing acknowledged is lost', async () => {
    const work = sendersOf(ada, apis())
    await work.waitForSends(100)
    const resume = pair.silencePrimary()
    const refused = await falls()
    resume()
    const took = await allReady(services)
    await work.waitForSends(100)
    expect([...new Set(await work.stop())]).to.deep.equal([503])
    expect(await storedTexts(pair.primaryUrl, work.acknowledged)).to.deep.equal([...work.acknowledged].sort())
    expect(took).to.be.below(READY_WITHIN)
    process.stdout.write(
      `    ${refused}, ready ${seconds(took)} after it went on; ${work.acknowledged.length} acknowledged\n`,
    )
  })

  it('is left for its promoted standby, also after it has come back; nothing acknowledged is lost', async () => {
    const work = sendersOf(ada, apis())
    await work.waitForSends(100)
    const resume = pair.silencePrimary()
    const refused = await falls()
    await pair.promote()
    const took = await allReady(services)
    await work.waitForSends(100)
    // Unaware of its successor, with the connections of before.
    resume()
    await work.waitForSends(200)
    expect([...new Set(await work.stop())]).to.deep.equal([503])
    expect(await storedTexts(pair.standbyUrl, work.acknowledged)).to.deep.equal([...work.acknowledged].sort())
    expect(took).to.be.below(READY_WITHIN)
    process.stdout.write(
      `    ${refused}, ready ${seconds(took)} after the promotion; ${work.acknowledged.length} acknowledged\n`,
    )
  })
})

describe('a silent Redis that sentinels watch', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let redis: WatchedRedis
  let ada: Person
  const services: RunningService[] = []

  before(async function () {
    backing = await testBacking()
    try {
      redis = await startWatchedRedis()
    } catch (err) {
      if (err instanceof NoRedis) this.skip()
      throw err
    }
    const env = { ...backing.env, REDIS_URL: redis.urlOf() }
    for (const name of ['api', 'api', 'events', 'janitor']) services.push(await startService(name, env))
    ada = await new Person('ada', services[0]!.url).signUp()
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await redis?.stop()
    await backing?.drop()
  })

  it('is left for its successor, and follows it when it comes back; every acknowledged text is on the screen', async () => {
    const [first, second, gateway] = services as [RunningService, RunningService, RunningService]
    const tab = await openTab(gateway.url, ada.cookie, { channel: 'general' })
    const work = sendersOf(ada, [first.url, second.url])
    await work.waitForSends(100)
    const before = await redis.primaryPort()
    const resume = await redis.silencePrimary()
    await eventually(async () => expect(await redis.primaryPort()).to.not.equal(before), 60_000)
    const took = await allReady(services)
    await work.waitForSends(100)
    resume()
    await eventually(async () => expect(await redis.isWhole()).to.equal(true), 60_000)
    await work.waitForSends(100)
    expect((await work.stop()).filter(status => status !== 503)).to.deep.equal([])
    expect(await storedTexts(backing.env.DATABASE_URL, work.acknowledged)).to.deep.equal(
      [...work.acknowledged].sort(),
    )
    await tab.waitFor(() => {
      const texts = new Set(tab.rows().map(row => row.content))
      return work.acknowledged.every(text => texts.has(text))
    }, 60_000)
    tab.close()
    expect((await ada.fetch('/sessions')).status).to.equal(200)
    expect(took).to.be.below(READY_WITHIN)
    process.stdout.write(
      `    ready ${seconds(took)} after the election; ${work.acknowledged.length} acknowledged, ${work.refused().length} refused\n`,
    )
  })
})
