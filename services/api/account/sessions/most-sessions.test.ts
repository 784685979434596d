import { expect } from 'chai'
import { Redis } from 'ioredis'
import type { SessionPayload } from '#shared/domain/payloads/account.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { MOST_SESSIONS } from './sessions.ts'

describe('the sessions of an account', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let redis: Redis
  let keys: ReturnType<typeof keysWith>
  let apis: RunningService[]
  let gateway: RunningService
  before(async () => {
    backing = await testBacking()
    redis = new Redis(backing.env.REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
    apis = await Promise.all([startService('api', backing.env), startService('api', backing.env)])
    gateway = await startService('events', backing.env)
  })
  after(async () => {
    await Promise.all([...apis, gateway].map(service => service.stop()))
    redis.disconnect()
    await backing.drop()
  })

  it('are at most fifty: the least recently used ends, its streams too, at every replica', async () => {
    const kim = await somebody(apis[0]!.url).signUp()
    const logIn = async (i: number) => {
      const device = new Person(kim.name, apis[i % 2]!.url)
      const { status } = await device.postForm('/login', { username: kim.name, password: PASSWORD })
      expect(status).to.equal(302)
      return device
    }
    const desktop = await logIn(0)
    const phone = await logIn(1)
    await usedLater(kim)
    await usedLater(desktop)
    const tab = await openTab(gateway.url, phone.cookie, { channel: 'general' })

    // All but the phone and two old ones are newer. Several log-ins at once must not end more than is needed.
    const others: Person[] = []
    for (let i = 0; i < MOST_SESSIONS - 3; i += 4) {
      const left = Math.min(4, MOST_SESSIONS - 3 - i)
      others.push(...(await Promise.all(Array.from({ length: left }, (_, n) => logIn(i + n)))))
    }
    const isIn = async (person: Person) => (await person.fetch('/me')).status === 200
    expect(await isIn(phone), 'the fiftieth ends none').to.equal(true)
    await logIn(1)
    expect(await isIn(phone)).to.equal(false)
    await eventually(() => expect(tab.isOpen).to.equal(false))
    for (const person of [kim, desktop, ...others]) expect(await isIn(person)).to.equal(true)
    expect(await kim.get<SessionPayload[]>('/sessions')).to.have.length(MOST_SESSIONS)

    await Promise.all(Array.from({ length: 8 }, (_, i) => logIn(i)))
    expect(await kim.get<SessionPayload[]>('/sessions'), 'eight at once').to.have.length(MOST_SESSIONS)
    expect(await redis.zcard(keys.sessionsOf(kim.name))).to.equal(MOST_SESSIONS)
  })

  it('that expired unused count no longer', async () => {
    const kim = await somebody(apis[0]!.url).signUp()
    const key = keys.sessionsOf(kim.name)
    const begunLongAgo = Date.now() / 1_000 + 3_600
    for (let i = 0; i < MOST_SESSIONS; i++) await redis.zadd(key, begunLongAgo, `expired-${i}`)
    const again = new Person(kim.name, apis[1]!.url)
    await again.postForm('/login', { username: kim.name, password: PASSWORD })
    expect(await kim.get<SessionPayload[]>('/sessions')).to.have.length(2)
    expect(await redis.zcard(key)).to.equal(2)
  })

  /** As if the session were used ten minutes from now. */
  async function usedLater({ cookie }: Person) {
    const id = decodeURIComponent(cookie.slice('session='.length)).replace(/^s:/, '').split('.')[0]!
    const key = keys.session(id)
    const record = JSON.parse((await redis.get(key))!)
    await redis.set(key, JSON.stringify({ ...record, seen_ts: record.seen_ts + 600 }), 'KEEPTTL')
  }
})
