import { expect } from 'chai'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { forgetThreadFollows } from './forget-thread-follows.ts'

describe('followers of threads', () => {
  let backing: TestBacking
  let stores: OpenStores
  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
    await stores.db.query(`insert into channels (id, clock_us) values ('general', 0)`)
  })
  after(async () => {
    await stores.stop()
    await backing.drop()
  })

  it('are forgotten with the last message of a thread', async () => {
    const { db } = stores
    await db.query(
      `insert into messages (id, channel, ord, sender, content, ts, reply_to_id, thread_id) overriding system value
       values (1, 'general', 1, 'ada', 'text', 1, null, null), (2700, 'general', 2, 'bob', 'text', 2, 2699, 2699)`,
    )
    await db.query('truncate thread_follows')
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
