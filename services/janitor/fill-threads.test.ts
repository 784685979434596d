import { expect } from 'chai'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { fillThreads } from './fill-threads.ts'
import { forgetThreadFollows } from './forget-thread-follows.ts'

describe('replies from before threads', () => {
  let backing: TestBacking
  let stores: OpenStores
  before(async () => {
    backing = await testBacking()
    const { env } = backing
    stores = await openStores({
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      redisPrefix: env.REDIS_PREFIX,
      filesUrl: env.FILES_URL,
      settingsFile: env.SETTINGS_FILE,
    })
    await stores.db.query(`insert into channels (id, clock_us) values ('general', 0)`)
  })
  after(async () => {
    await stores.stop()
    await backing.drop()
  })

  it('get their root in batches, also through replies to replies and removed ones (messages A3)', async () => {
    const { db } = stores
    // A chain of 100 and 2,400 replies to its first message; a send of three rows; a reply to a removed message.
    await db.query(
      `insert into messages (id, channel, ord, sender, content, ts, reply_to_id) overriding system value
       select i, 'general', i, 'ada', 'text', i, case when i > 100 then 1 when i > 1 then i - 1 end from generate_series(1, 2500) i
       union all
       select 2600 + i, 'general', 2600 + i, 'bob', 'text', 9000 + i * 0.000001, 2 from generate_series(1, 3) i
       union all
       select 2700, 'general', 2700, 'bob', 'text', 9001, 2699`,
    )
    expect(await fillThreads(stores)).to.equal(2_503)
    expect(await fillThreads(stores), 'rests').to.equal(0)
    const { rows } = await db.query(
      `select thread_id, part, count(*)::integer from messages where reply_to_id is not null group by 1, 2 order by 1, 2`,
    )
    expect(rows).to.deep.equal([
      { thread_id: 1, part: 0, count: 2_500 },
      { thread_id: 1, part: 2, count: 1 },
      { thread_id: 1, part: 3, count: 1 },
      { thread_id: 2_699, part: 0, count: 1 },
    ])
  })

  it('and their followers are forgotten with the last message of a thread', async () => {
    const { db } = stores
    await db.query(
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       select 'eve', root, 'general', true, 0 from unnest(array[1, 2699, 5000]) root`,
    )
    await db.query(
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       select 'many', 100000 + i, 'general', true, 0 from generate_series(1, 2500) i`,
    )
    expect(await forgetThreadFollows(stores)).to.equal(2_501)
    const { rows } = await db.query('select root_id from thread_follows where username = $1 order by 1', [
      'eve',
    ])
    expect(rows).to.deep.equal([{ root_id: 1 }, { root_id: 2_699 }])
  })
})
