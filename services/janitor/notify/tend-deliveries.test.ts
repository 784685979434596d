import { expect } from 'chai'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { boundDeliveries, forgetDeliveries, SIZE } from './tend-deliveries.ts'

describe('deliveries', () => {
  let backing: TestBacking
  let stores: OpenStores
  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
    await stores.db.query(
      `insert into users (username, password_hash, created_ts, kind) values ('bot', '', 0, 'bot')`,
    )
  })
  after(async () => {
    await stores?.stop()
    await backing?.drop()
  })

  beforeEach(() => stores.db.query('delete from deliveries; delete from hooks_out'))

  const limits = { count: 3, bytes: 500, bytesInAll: 1_000_000 }

  /** An active hook with deliveries, the oldest first; ended ones of a state ended in this order, too. */
  async function hookWith(state: string, texts: string[]) {
    const { rows } = await stores.db.query<{ id: number }>(
      `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, created_ts)
       values ('hook', 'http://127.0.0.1/', 'standard', '', '', 'bot', '{message.created}', 0)
       returning id`,
    )
    await insert(rows[0]!.id, state, texts)
    return rows[0]!.id
  }
  const insert = (hook: number, state: string, texts: string[]) =>
    stores.db.query(
      `insert into deliveries (kind, target_id, event, state, next_try_ts, created_ts, done_ts)
       select 'hook', $1, jsonb_build_object('text', text), $2, place, place, case when $2 <> 'waiting' then place end
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
  const errorsOf = async (hook: number) => {
    const { rows } = await stores.db.query<{ last_error: string }>(
      `select distinct last_error from deliveries where target_id = $1 and state <> 'waiting'`,
      [hook],
    )
    return rows.map(({ last_error }) => last_error)
  }

  it('that ended are kept up to a number and a size of a hook, the newest of them', async () => {
    const first = await hookWith('sent', ['a', 'b', 'c', 'd', 'e'])
    await insert(first, 'waiting', ['f', 'g', 'h'])
    const second = await hookWith('failed', ['k', 'l', 'm'])
    const third = await hookWith('gone', ['x'.repeat(600), 'n', 'o'])
    expect(await boundDeliveries(stores, limits)).to.equal(3)
    expect(await textsOf(first, 'sent')).to.deep.equal(['c', 'd', 'e'])
    expect(await textsOf(first, 'waiting')).to.have.length(3)
    expect(await textsOf(second, 'failed')).to.deep.equal(['k', 'l', 'm'])
    expect(await textsOf(third, 'gone')).to.deep.equal(['n', 'o'])
  })

  it('that wait beyond a number or a size of a hook fail, the oldest first', async () => {
    const many = await hookWith('waiting', ['a', 'b', 'c', 'd', 'e'])
    const large = await hookWith('waiting', ['f', 'x'.repeat(400), 'y'.repeat(400)])
    expect(await boundDeliveries(stores, limits)).to.equal(4)
    expect(await textsOf(many, 'waiting')).to.deep.equal(['c', 'd', 'e'])
    expect(await textsOf(many, 'failed')).to.deep.equal(['a', 'b'])
    expect(await textsOf(large, 'waiting')).to.deep.equal(['y'.repeat(400)])
    expect(await errorsOf(large)).to.deep.equal(['too_many_waiting'])
  })

  it('that wait for a disabled or deleted hook end', async () => {
    const disabled = await hookWith('waiting', ['a'])
    await stores.db.query('update hooks_out set active = false where id = $1', [disabled])
    const deleted = disabled + 1
    await insert(deleted, 'waiting', ['b'])
    expect(await boundDeliveries(stores, limits)).to.equal(2)
    expect([await errorsOf(disabled), await errorsOf(deleted)]).to.deep.equal([['disabled'], ['disabled']])
    expect(await forgetDeliveries(stores)).to.be.greaterThan(0)
    expect(await textsOf(deleted, 'gone')).to.deep.equal([])
  })

  it('are bounded while others are on their way, or locked', async () => {
    const hook = await hookWith('waiting', ['on its way', 'locked', 'c', 'd', 'e', 'f'])
    const textIs = `target_id = $1 and event ->> 'text' = $2`
    await stores.db.query(`update deliveries set leased_until = $3 where ${textIs}`, [
      ...[hook, 'on its way'],
      stores.clock.now() + 30,
    ])
    await inTransaction(stores.pool, async tx => {
      await tx.query(`select from deliveries where ${textIs} for update`, [hook, 'locked'])
      expect(await boundDeliveries(stores, limits)).to.equal(1)
    })
    expect(await textsOf(hook, 'failed')).to.deep.equal(['c'])
    expect(await boundDeliveries(stores, limits)).to.equal(1)
    expect(await textsOf(hook, 'waiting')).to.deep.equal(['on its way', 'd', 'e', 'f'])
  })

  it('are bounded in transactions of at most 500 rows', async () => {
    const texts = Array.from({ length: 1_400 }, (_, i) => String(i))
    const hook = await hookWith('waiting', texts)
    expect(await boundDeliveries(stores, { ...limits, count: 700, bytes: 1_000_000 })).to.equal(700)
    const { rows } = await stores.db.query<{ count: number }>(
      `select count(*) as count
         from deliveries
        where target_id = $1 and state = 'failed'
        group by xmin::text
        order by count desc`,
      [hook],
    )
    expect(rows.map(({ count }) => count)).to.deep.equal([500, 200])
  })

  it('are counted from the index alone', async () => {
    const hook = await hookWith('sent', ['a', 'b'])
    const plan = await inTransaction(stores.pool, async tx => {
      // The table is too small for any index.
      await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
      return (await tx.query(`explain ${SIZE}`, [hook])).rows
    })
    expect(JSON.stringify(plan)).to.include('Index Only Scan using deliveries_of_hook')
  })

  it('of the whole server lose what ended first', async () => {
    const first = await hookWith('sent', ['a', 'b', 'c'])
    const second = await hookWith('failed', ['d', 'e', 'f'])
    await insert(second, 'waiting', ['g'])
    const size = '{"text": "a"}'.length
    expect(await boundDeliveries(stores, { ...limits, bytesInAll: 3 * size })).to.equal(4)
    expect([await textsOf(first, 'sent'), await textsOf(second, 'failed')]).to.deep.equal([['c'], ['f']])
    expect(await textsOf(second, 'waiting')).to.deep.equal(['g'])
  })

  it('of the whole server that wait fail last, of the hooks with the most, and lose their content', async () => {
    const long = (letter: string) => letter.repeat(400)
    const [most, least] = [
      await hookWith('waiting', [long('a'), long('b'), long('c')]),
      await hookWith('waiting', [long('d')]),
    ]
    await insert(least, 'sent', ['e'])
    await boundDeliveries(stores, { count: 10, bytes: 10_000, bytesInAll: 1_000 })
    expect(await textsOf(most, 'waiting')).to.deep.equal([long('c')])
    expect(await textsOf(least, 'waiting')).to.deep.equal([long('d')])
    expect(await textsOf(least, 'sent')).to.deep.equal([])
    expect(await textsOf(most, 'failed')).to.deep.equal([null, null])
    expect(await errorsOf(most)).to.deep.equal(['too_many_waiting'])
    const { rows } = await stores.db.query<{ bytes: number }>('select sum(bytes) as bytes from deliveries')
    expect(rows[0]!.bytes).to.be.at.most(1_200)
  })
})
