import { expect } from 'chai'
import pg from 'pg'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { readInbox } from './inbox.ts'

describe('the inbox (interface 10.7)', () => {
  let backing: TestBacking
  let stores: OpenStores
  let other: pg.Client

  before(async function () {
    this.timeout(60_000)
    backing = await testBacking()
    const { env } = backing
    stores = await openStores({
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      redisPrefix: env.REDIS_PREFIX,
      filesUrl: env.FILES_URL,
      settingsFile: env.SETTINGS_FILE,
    })
    other = new pg.Client({ connectionString: env.DATABASE_URL })
    await other.connect()
    await other.query(
      `insert into users (username, password_hash, created_ts)
       select name, 'x', extract(epoch from now()) from unnest(array['ada', 'bob']) name`,
    )
    await other.query(
      `insert into channels (id, clock_us, newest_ts, message_count)
       values ('general', (extract(epoch from now()) + 100) * 1000000, extract(epoch from now()) + 100, 1)
       on conflict (id) do update set clock_us = excluded.clock_us, newest_ts = excluded.newest_ts`,
    )
  })
  after(async () => {
    await other.end()
    await stores.stop()
    await backing.drop()
  })

  /** A mention of ada by bob, committed on another connection. */
  const mention = () =>
    other.query(
      `with put as (
         insert into messages (channel, ord, sender, content, ts, mentions)
         select 'general', coalesce(max(ord), 0) + 1, 'bob', '@ada', extract(epoch from now()) + count(*), '["ada"]'
           from messages
         returning id, ts)
       insert into message_mentions (channel, username, ts, message_id) select 'general', 'ada', ts, id from put`,
    )

  /** Stores whose statements are followed by a mention, until `most` were made. */
  function disturbed(most: number): OpenStores {
    let made = 0
    const follow = async <T>(result: Promise<T>): Promise<T> => {
      const value = await result
      if (made++ < most) await mention()
      return value
    }
    const pool = new Proxy(stores.pool, {
      get(target, name) {
        if (name !== 'connect') return Reflect.get(target, name)
        return async () => {
          const client = await target.connect()
          return new Proxy(client, {
            get(one, key) {
              if (key !== 'query')
                return typeof one[key as 'query'] === 'function'
                  ? one[key as 'query'].bind(one)
                  : one[key as 'query']
              return (sql: string, values?: unknown[]) =>
                sql.startsWith('with') ? follow(one.query(sql, values)) : one.query(sql, values)
            },
          })
        }
      },
    })
    return { ...stores, pool, db: stores.db }
  }

  it('has as many unread ones as its items, whatever is committed between its statements (defect C3)', async () => {
    await mention()
    for (let round = 0; round < 3; round++) {
      const page = (await readInbox(disturbed(2), ['ada'])).get('ada')!
      expect(page.items.length, 'items').to.equal(page.unread)
      expect(page.unread).to.be.greaterThan(0)
    }
  })
})
