import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import sharp from 'sharp'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type LinkedStack, startLinkedStack } from '#shared/test-kit/linked-stack.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import type { TestBacking } from '#shared/test-kit/stores.ts'
import type { Tab } from '#shared/test-kit/tab.ts'

/**
 * Security 13: a cut between a replica and a store that closes no connection (power loss of the store's host, a firewall
 * that forgot its connections) is noticed within 10 s by the api and the gateway, within 30 s by background processes.
 */
describe('when a store falls silent', function () {
  this.timeout(240_000)
  let stack: LinkedStack
  let backing: TestBacking
  let postgres: NetworkLink
  let redis: NetworkLink
  let api: RunningService
  let events: RunningService
  let ada: Person
  let tab: Tab

  before(async () => {
    stack = await startLinkedStack()
    ;({ backing, postgres, redis, api, events, ada, tab } = stack)
  })
  after(() => stack?.close())

  // Restores the stores also after a failed test.
  afterEach(() => Promise.all([postgres.mend(), redis.mend()]))

  /** Time until both processes are ready, a send is acknowledged and the open stream shows it, ms. */
  async function recovery(text: string) {
    const began = performance.now()
    await eventually(async () => {
      for (const { url, name } of [api, events])
        expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
    }, 40_000)
    const id = await eventually(() => ada.send('general', text), 40_000)
    await tab.waitFor(() => tab.rows().some(row => row.id === id), 40_000)
    return performance.now() - began
  }

  const isShown = (id: number) => tab.waitFor(() => tab.rows().some(row => row.id === id))

  it('PostgreSQL: the silent connections are dropped, and new ones are used', async () => {
    // Several connections in each pool.
    await Promise.all(Array.from({ length: 10 }, (_, i) => ada.send('general', `before ${i}`)))
    postgres.hold()
    const hanging = Array.from({ length: 6 }, (_, i) => ada.postForm('/send/general', { text: `held ${i}` }))
    const took = await recovery('after the silence')
    for (const answer of await Promise.all(hanging)) expect(answer.status).to.be.oneOf([200, 503])
    expect(took).to.be.lessThan(13_000)
    expect(tab.isOpen).to.equal(true)
  })

  it('PostgreSQL, for everybody: a request is refused with 503 within ten seconds', async () => {
    postgres.freeze()
    const began = performance.now()
    expect((await ada.postForm('/send/general', { text: 'frozen' })).status).to.equal(503)
    expect((await ada.react(1, '👍')).status).to.equal(503)
    expect(performance.now() - began).to.be.lessThan(16_000)
    await postgres.mend()
    await recovery('after the frost')
  })

  it('Redis: the silent connections are dropped, and new ones are used', async () => {
    await isShown(await ada.send('general', 'before'))
    redis.hold()
    const took = await recovery('after the silence of Redis')
    expect(took).to.be.lessThan(10_000)
    // An account that no process has cached.
    const newcomer = await eventually(() => somebody(api.url).signUp())
    expect(await newcomer.get('/channels')).to.deep.equal(['general'])
    const since = performance.now()
    await isShown(await ada.send('general', 'at once'))
    expect(performance.now() - since).to.be.lessThan(5_000)
    expect(tab.isOpen).to.equal(true)
  })

  it('the janitor and a queue worker: the queue goes on, and both become ready', async () => {
    const queues = await NetworkLink.to(backing.env.THUMBNAILS_REDIS_URL)
    const env = { ...backing.env, LOG_LEVEL: 'fatal' }
    const workers = await Promise.all([
      startService('janitor', { ...env, DATABASE_URL: postgres.url }),
      startService('previews-pictures', { ...env, THUMBNAILS_REDIS_URL: queues.url }),
    ])
    try {
      postgres.hold()
      queues.hold()
      const bytes = await sharp({ create: { width: 1_200, height: 900, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      await eventually(async () => {
        expect((await ada.sendImages('general', [{ name: 'a.png', bytes }])).status).to.equal(200)
      })
      const stored = async () => await readdir(fileURLToPath(backing.env.FILES_URL))
      await eventually(async () => expect((await stored()).join(' ')).to.match(/\.webp/), 35_000)
      for (const { url, name } of workers) {
        await eventually(async () => expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200))
      }
    } finally {
      await Promise.all(workers.map(service => service.stop()))
      await queues.cut()
    }
  })

  it('Redis, for everybody: no request waits for it longer than half a second in all', async () => {
    await backing.settings({ rate_limit_enabled: true })
    const waits: number[] = []
    // The fastest of three: two waits in a row, of 400 ms each, would be in all of them.
    for (let round = 0; round < 3; round++) {
      const usually = await timed(() => ada.send('general', `warm ${round}`))
      await isShown(usually.result)
      redis.freeze()
      const frozen = await timed(() => ada.send('general', `without an answer of Redis ${round}`))
      waits.push(frozen.took - usually.took)
      await isShown(frozen.result)
      await redis.mend()
      await recovery(`after the frost of Redis ${round}`)
    }
    expect(Math.min(...waits)).to.be.lessThan(500)
    expect(Math.max(...waits)).to.be.lessThan(900)
  })

  async function timed<T>(work: () => Promise<T>): Promise<{ result: T; took: number }> {
    const began = performance.now()
    const result = await work()
    return { result, took: performance.now() - began }
  }
})
