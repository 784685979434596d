import { expect } from 'chai'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { boundEnded } from './tend-deliveries.ts'

describe('ended deliveries', () => {
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
  })
  after(async () => {
    await stores?.stop()
    await backing?.drop()
  })

  const insert = (hook: number, state: string, texts: string[]) =>
    stores.db.query(
      `insert into deliveries (kind, target_id, event, state, next_try_ts, created_ts, done_ts)
       select 'hook', $1, jsonb_build_object('text', text), $2, place, place, place
         from unnest($3::text[]) with ordinality as given (text, place)`,
      [hook, state, texts],
    )
  const textsOf = async (hook: number, state: string) => {
    const { rows } = await stores.db.query<{ text: string }>(
      `select event ->> 'text' as text from deliveries where target_id = $1 and state = $2 order by created_ts`,
      [hook, state],
    )
    return rows.map(({ text }) => text)
  }

  it('of a hook are kept up to a number and a size, the newest of them', async () => {
    await insert(1, 'sent', ['a', 'b', 'c', 'd', 'e'])
    await insert(1, 'waiting', ['f', 'g', 'h', 'i', 'j'])
    await insert(2, 'failed', ['k', 'l', 'm'])
    await insert(3, 'gone', ['x'.repeat(600), 'n', 'o'])
    expect(await boundEnded(stores, 3, 500)).to.equal(3)
    expect(await textsOf(1, 'sent')).to.deep.equal(['c', 'd', 'e'])
    expect(await textsOf(1, 'waiting')).to.have.length(5)
    expect(await textsOf(2, 'failed')).to.deep.equal(['k', 'l', 'm'])
    expect(await textsOf(3, 'gone')).to.deep.equal(['n', 'o'])
  })
})
