import { expect } from 'chai'
import { Redis } from 'ioredis'
import { toText } from '#shared/notices/notice.ts'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { openBlockingRedis } from '#shared/stores/redis.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { NoticeFeed } from './notice-feed.ts'

describe('the feed of notices', () => {
  let backing: TestBacking
  let redis: Redis
  let keys: Keys
  let feed: NoticeFeed
  let seen: string[]
  let gaps: number
  before(async () => {
    backing = await testBacking()
    redis = new Redis(backing.env.REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
  })
  after(async () => {
    redis.disconnect()
    await backing.drop()
  })
  beforeEach(async () => {
    seen = []
    gaps = 0
    feed = new NoticeFeed(openBlockingRedis(backing.env.REDIS_URL), keys, {
      onNotice: ({ concerns }) => seen.push(concerns[0]!.channel!),
      onGap: () => gaps++,
    })
    await redis.xadd(keys.notices(), '*', ...entry('before'))
    await feed.start()
    await redis.xadd(keys.notices(), '*', ...entry('first'))
    await eventually(() => expect(seen).to.deep.equal(['first']))
  })
  afterEach(() => feed.stop())

  const entry = (channel: string) => ['notice', toText({ concerns: [{ collections: [], channel }] })] as const

  it('reports a gap when notices were trimmed unread, though newer ones follow', async () => {
    await redis
      .multi()
      .xadd(keys.notices(), '*', ...entry('missed'))
      .xtrim(keys.notices(), 'MAXLEN', 0)
      .xadd(keys.notices(), '*', ...entry('newer'))
      .exec()
    await eventually(() => expect(gaps).to.equal(1))
    expect(seen).to.deep.equal(['first', 'newer'])
    await redis.xadd(keys.notices(), '*', ...entry('last'))
    await eventually(() => expect(seen.at(-1)).to.equal('last'))
    expect(gaps).to.equal(1)
  })

  it('reports a gap when Redis was emptied and filled again', async () => {
    // Ids are milliseconds: the new log must not begin with the id that the feed has read last.
    await new Promise(resolve => setTimeout(resolve, 5))
    await redis
      .multi()
      .del(keys.notices())
      .xadd(keys.notices(), '*', ...entry('anew'))
      .exec()
    await eventually(() => expect(gaps).to.equal(1))
    expect(seen).to.deep.equal(['first', 'anew'])
  })

  it('reports a gap, once, for notices that it cannot read, as those of another release may be', async () => {
    await redis
      .multi()
      .xadd(keys.notices(), '*', 'notice', '{"collections":["dms"]}')
      .xadd(keys.notices(), '*', 'notice', 'none')
      .xadd(keys.notices(), '*', ...entry('readable'))
      .exec()
    await eventually(() => expect(seen).to.deep.equal(['first', 'readable']))
    await eventually(() => expect(gaps).to.equal(1))
  })

  it('reports no gap while every notice was read', async () => {
    for (let i = 0; i < 50; i++) await redis.xadd(keys.notices(), 'MAXLEN', 100, '*', ...entry(`${i}`))
    await eventually(() => expect(seen).to.have.length(51))
    expect(gaps).to.equal(0)
  })
})
