import { expect } from 'chai'
import type { Seconds } from '#shared/domain/units.ts'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { claimDue, claimStatement } from './deliveries.ts'

describe('due deliveries', () => {
  let backing: TestBacking
  /** As of three janitors. */
  let janitors: OpenStores[]
  let now: Seconds = 1_000

  before(async () => {
    backing = await testBacking()
    const { env } = backing
    const config = {
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      redisPrefix: env.REDIS_PREFIX,
      filesUrl: env.FILES_URL,
      settingsFile: env.SETTINGS_FILE,
    }
    const clock = { now: () => now }
    janitors = await Promise.all([0, 1, 2].map(() => openStores(config, clock)))
    await query(
      `insert into users (username, password_hash, created_ts, kind, bot_owner)
       select name, '', 0, case when name like 'bot%' then 'bot' else 'person' end, case when name = 'bot-of-cleo' then 'cleo' end
         from unnest('{ada,berta,cleo,bot,bot-of-cleo}'::text[]) name`,
    )
  })
  after(async () => {
    await Promise.all((janitors ?? []).map(stores => stores.stop()))
    await backing?.drop()
  })
  beforeEach(() => query('delete from deliveries; delete from hooks_out'))

  const query = (statement: string, values?: unknown[]) => janitors[0]!.db.query<never>(statement, values)

  /** `maker: null`: of somebody who left. */
  async function hookOf(maker: string | null, due: number, { bot = 'bot', isFailing = false } = {}) {
    const { rows } = (await query(
      `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, created_by, created_ts, failing_since)
       values ('hook', 'http://127.0.0.1/', 'standard', '', '', $1, '{message.created}', $2, 0, $3)
       returning id`,
      [bot, maker, isFailing ? 1 : null],
    )) as { rows: { id: number }[] }
    const { id } = rows[0]!
    await query(
      `insert into deliveries (kind, target_id, event, next_try_ts, created_ts)
       select 'hook', $1, '{}', 1, 1 from generate_series(1, $2)`,
      [id, due],
    )
    return id
  }

  /** Deliveries of each hook that the janitors claim until none is left for them, all at once in each round. */
  async function claimAll() {
    const counts: Record<number, number> = {}
    for (let none = 0; none < 2; ) {
      const claims = (await Promise.all(janitors.map(stores => claimDue(stores, 32)))).flat()
      for (const { target_id } of claims) counts[target_id] = (counts[target_id] ?? 0) + 1
      none = claims.length === 0 ? none + 1 : 0
    }
    return counts
  }
  const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((all, one = 0) => all + one, 0)

  it('of one maker have a bounded share of the places of all janitors, and others their own', async () => {
    const ofAda = await Promise.all(Array.from({ length: 10 }, () => hookOf('ada', 20)))
    const ofBerta = await hookOf('berta', 20)
    const counts = await claimAll()
    expect(sum(ofAda.map(id => counts[id]))).to.equal(6)
    expect(counts[ofBerta]).to.equal(5)
  })

  it('of a bot without a maker count for its owner', async () => {
    const left = await Promise.all([1, 2].map(() => hookOf(null, 5, { bot: 'bot-of-cleo' })))
    const own = await hookOf('cleo', 5)
    const ofNobody = await hookOf(null, 5)
    const counts = await claimAll()
    expect(sum([...left, own].map(id => counts[id]))).to.equal(6)
    expect(counts[ofNobody]).to.equal(5)
  })

  it('go one at a time to a receiver that fails', async () => {
    const [failing, usual] = [await hookOf('ada', 9, { isFailing: true }), await hookOf('ada', 9)]
    expect(await claimAll()).to.deep.equal({ [failing]: 1, [usual]: 5 })
  })

  it('go first to the hook with the fewest on their way', async () => {
    await Promise.all([1, 2, 3].map(() => hookOf('ada', 9)))
    await claimAll()
    const idle = await hookOf('ada', 9)
    await query(
      `update deliveries set state = 'sent', leased_until = null
        where id = (select id from deliveries where leased_until is not null limit 1)`,
    )
    expect(await claimAll()).to.deep.equal({ [idle]: 1 })
  })

  it('are claimed again when the lease of a janitor that died ends', async () => {
    const hook = await hookOf('ada', 9)
    expect(await claimAll()).to.deep.equal({ [hook]: 5 })
    expect(await claimAll()).to.deep.equal({})
    now += 31
    expect(await claimAll()).to.deep.equal({ [hook]: 5 })
  })

  it('cost no more to claim when many are due', async () => {
    const hooks = await Promise.all(Array.from({ length: 20 }, () => hookOf('ada', 10)))
    const cost = async () => {
      await backing.admin('analyze deliveries')
      const { text, values } = claimStatement(now, 32)
      const { rows } = (await query(`explain (format json) ${text}`, values)) as {
        rows: { 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }[]
      }
      return rows[0]!['QUERY PLAN'][0].Plan['Total Cost']
    }
    const few = await cost()
    await query(
      `insert into deliveries (kind, target_id, event, next_try_ts, created_ts)
       select 'hook', hook, '{}', n, n from unnest($1::bigint[]) hook, generate_series(1, 1000) n`,
      [hooks],
    )
    expect(await cost()).to.be.lessThan(2 * few)
  })

  it('are bounded in all, also of many makers', async () => {
    await query(
      `insert into users (username, password_hash, created_ts) select 'maker' || n, '', 0 from generate_series(1, 40) n
       on conflict do nothing`,
    )
    for (let n = 1; n <= 40; n++) await hookOf(`maker${n}`, 5)
    expect(sum(Object.values(await claimAll()))).to.equal(128)
  })
})
