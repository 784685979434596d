import { expect } from 'chai'
import { Redis } from 'ioredis'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** The second is what a script hears. */
const REFUSED = /^(?:NOPERM|ERR The user executing the script can't)/

/** That the worker does its work with them, the other tests show: each starts it as this user. */
describe('what the worker may do in Redis (security 3), should a page take it over', () => {
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

  it('does not read, change or remove the session of anybody', async () => {
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
        // BullMQ's scripts make keys of what they are told: a script is allowed no more than its caller.
        ['eval', `return redis.call('get', '${key}')`, 0],
        ['eval', `return redis.call('zrange', KEYS[1], 0, -1)`, 1, key],
      ] as [string, ...(string | number)[]][]) {
        expect(await answerTo(...ask), ask.join(' ')).to.match(REFUSED)
      }
    }
    expect(await whole.exists(...sessions)).to.equal(sessions.length)
  })

  it('reaches none of what the others keep: notices, limits, typing, tabs, streams', async () => {
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

  it('looks for no keys, listens to nobody, and changes nothing of the server', async () => {
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

  it('has the keys of cards and their queue, and none of the thumbnails', async () => {
    const own = [
      `${keys.queuePrefix()}:previews:wait`,
      keys.cards(),
      keys.card('a'),
      keys.cardPicture('a'),
      keys.cardWanted('a'),
      keys.cardWorker(),
    ]
    for (const key of own) expect(await answerTo('exists', key), key).to.equal('done')
    for (const key of [`${keys.queuePrefix()}:thumbnails:wait`, keys.thumbnailVerdict('a.webp')])
      expect(await answerTo('exists', key), key).to.match(REFUSED)
  })
})
