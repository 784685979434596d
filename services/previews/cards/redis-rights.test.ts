import { expect } from 'chai'
import { Redis } from 'ioredis'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** Redis's two refusals; the second is the one inside scripts. */
const REFUSED = /^(?:NOPERM|ERR The user executing the script can't)/

/** The other tests show that these rights suffice: each starts the worker as this user. */
describe('the Redis rights of a compromised preview worker (security 3)', () => {
  let backing: TestBacking
  let api: RunningService
  let whole: Redis
  let redis: Redis
  let keys: Keys

  before(async () => {
    backing = await testBacking()
    whole = new Redis(backing.env.REDIS_URL)
    redis = new Redis(backing.env.PREVIEWS_REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
    api = await startService('api', backing.env)
    await new Person('ada', api.url).signUp()
  })
  after(async () => {
    await api?.stop()
    whole?.disconnect()
    redis?.disconnect()
    await backing?.drop()
  })

  async function answerTo(...[command, ...args]: [string, ...(string | number)[]]): Promise<string> {
    try {
      await redis.call(command, ...args)
      return 'done'
    } catch (err) {
      return (err as Error).message
    }
  }

  it('exclude reading, changing and removing sessions', async () => {
    const sessions = await whole.keys(`${keys.sessionPrefix()}*`)
    expect(sessions).to.not.deep.equal([])
    for (const key of [...sessions, keys.sessionsOf('ada')]) {
      expect(await whole.exists(key), key).to.equal(1)
      for (const ask of [
        ['get', key],
        ['zrange', key, 0, -1],
        ['exists', key],
        ['type', key],
        ['del', key],
        ['expire', key, 1],
        ['rename', key, keys.card('mine')],
        ['rename', keys.card('mine'), key],
        ['copy', key, keys.card('mine')],
        ['set', key, '{}'],
        ['mget', keys.card('mine'), key],
        // BullMQ's scripts build keys from their arguments; a script has only its caller's rights.
        ['eval', `return redis.call('get', '${key}')`, 0],
        ['eval', `return redis.call('zrange', KEYS[1], 0, -1)`, 1, key],
      ] as [string, ...(string | number)[]][]) {
        expect(await answerTo(...ask), ask.join(' ')).to.match(REFUSED)
      }
    }
    expect(await whole.exists(...sessions)).to.equal(sessions.length)
  })

  it('exclude the keys of other services: notices, limits, typing, tabs, streams', async () => {
    for (const key of [
      keys.notices(),
      `${keys.ratePrefix()}:login:ada`,
      keys.typing('general'),
      keys.tabsOf('ada'),
      keys.streamsOf('ada'),
      'bothy:sess:1',
      'anything',
    ]) {
      expect(await answerTo('exists', key), key).to.match(REFUSED)
      expect(await answerTo('del', key), key).to.match(REFUSED)
    }
    expect(await answerTo('xadd', keys.notices(), '*', 'a', 'b')).to.match(REFUSED)
    expect(await answerTo('xread', 'STREAMS', keys.notices(), '0')).to.match(REFUSED)
  })

  it('exclude scanning keys, subscribing, and server administration', async () => {
    for (const ask of [
      'keys *',
      'scan 0',
      'randomkey',
      'dbsize',
      'flushall',
      'flushdb',
      'config get requirepass',
      'config set requirepass x',
      'acl list',
      'acl whoami',
      'acl setuser previews +@all',
      'client list',
      'client kill type normal',
      'client no-evict on',
      'save',
      'shutdown',
      'replicaof 127.0.0.1 1',
      'module list',
      'function list',
      'script flush',
      'monitor',
      'swapdb 0 1',
      'select 1',
      'publish anything x',
      'subscribe anything',
      'psubscribe *',
      'pubsub channels',
      `sort ${keys.cards()} by nosort get ${keys.sessionPrefix()}*`,
      `migrate 127.0.0.1 1 ${keys.cards()} 0 10`,
      `object encoding ${keys.cards()}`,
      `memory usage ${keys.cards()}`,
    ]) {
      expect(await answerTo(...(ask.split(' ') as [string, ...string[]])), ask).to.match(REFUSED)
    }
  })

  it('include the keys of cards, of what leaves the server and of both queues, but not of thumbnails or deliveries', async () => {
    const own = [
      `${keys.queuePrefix()}:previews:wait`,
      keys.cards(),
      keys.card('a'),
      keys.cardPicture('a'),
      keys.cardWanted('a'),
      keys.cardWorker(),
      `${keys.queuePrefix()}:outgoing:wait`,
      keys.outgoing('a'),
      keys.outgoingAnswer('a'),
      keys.outgoingWorker(),
    ]
    for (const key of own) expect(await answerTo('exists', key), key).to.equal('done')
    for (const key of [
      `${keys.queuePrefix()}:thumbnails:wait`,
      `${keys.queuePrefix()}:deliveries:wait`,
      keys.thumbnailVerdict('a.webp'),
    ])
      expect(await answerTo('exists', key), key).to.match(REFUSED)
  })
})
