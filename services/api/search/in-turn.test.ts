import { expect } from 'chai'
import pg from 'pg'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { inTurn } from './in-turn.ts'

describe('searches of one person', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let pool: pg.Pool
  before(async () => {
    backing = await testBacking()
    pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 5 })
  })
  after(async () => {
    await pool.end()
    await backing.drop()
  })

  it('run one at a time, and those of others beside them', async () => {
    const order: string[] = []
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const search = (viewer: string, name: string, until?: Promise<void>) =>
      inTurn({ pool }, viewer, async () => {
        order.push(`${name} begins`)
        await until
        order.push(`${name} ends`)
      })
    const first = search('ada', 'first', done)
    const second = search('ada', 'second')
    const failing = inTurn({ pool }, 'ada', () => Promise.reject(new Error('lost'))).catch(() =>
      order.push('fails'),
    )
    const third = search('ada', 'third')
    await search('bob', 'of bob')
    end()
    await Promise.all([first, second, failing, third])
    expect(order.filter(line => !line.includes('bob'))).to.deep.equal([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'fails',
      'third begins',
      'third ends',
    ])
    expect(order.indexOf('of bob ends')).to.be.lessThan(order.indexOf('first ends'))
  })

  it('run one at a time in several processes, too', async () => {
    const other = new pg.Client({ connectionString: backing.env.DATABASE_URL })
    await other.connect()
    await other.query('begin')
    await other.query(`select pg_try_advisory_xact_lock(hashtextextended('search of ada', 0))`)
    let hasBegun = false
    const search = inTurn({ pool }, 'ada', async () => {
      hasBegun = true
    })
    await inTurn({ pool }, 'bob', async () => {})
    expect(hasBegun).to.equal(false)
    await other.query('commit')
    await search
    expect(hasBegun).to.equal(true)
    await other.query('begin')
    await other.query(`select pg_try_advisory_xact_lock(hashtextextended('search of ada', 0))`)
    const refused = await inTurn({ pool }, 'ada', async () => {}).catch(err => err.status)
    expect(refused).to.equal(429)
    await other.end()
  })

  it('is 503 if a statement takes longer than three seconds', async () => {
    const failed = await inTurn({ pool }, 'ada', tx => tx.query('select pg_sleep(5)')).catch(
      err => err.status,
    )
    expect(failed).to.equal(503)
  })
})
